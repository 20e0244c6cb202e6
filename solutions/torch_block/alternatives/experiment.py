# %% [markdown]
# Right answers to `experiment`: what was recorded, in other forms and places.
