"""Grades in the forms that people and other systems read, one small module each."""
