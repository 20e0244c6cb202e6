# %% [markdown]
# Wrong answers to `gelu`.

# %% half_missing
# Everything is twice as large as it should be. Look at the very first factor of the formula.
def gelu(x):
    return x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% relu
# This is ReLU: negative numbers become exactly zero. GELU is smooth; look at its value at -1.
def gelu(x):
    return np.maximum(x, 0)


# %% exact_form
# This is the exact GELU, through the error function. It is close, but the lesson asks for the form with tanh.
from math import erf


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(erf)(x / np.sqrt(2)))


# %% exact_form_half_missing
# You use the error function, and everything is twice as large as it should be. The lesson asks for the form with tanh: look at its first factor, too.
from math import erf


def gelu(x):
    return x * (1 + np.vectorize(erf)(x / np.sqrt(2)))


# %% normal_probability_alone
# You return the probability that a normal number lies below x. GELU multiplies something by it, and the lesson asks for the form with tanh.
from math import erf


def gelu(x):
    return 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))


# %% erf_without_root_two
# You use the error function, without the root of two that belongs to it. The lesson asks for the form with tanh.
from math import erf


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(erf)(x))


# %% sigmoid_form
# This is the quick approximation with a sigmoid and 1.702. It is close, but the lesson asks for the form with tanh.
def gelu(x):
    return x / (1 + np.exp(-1.702 * x))


# %% silu
# This is SiLU (swish): x times its sigmoid. Look at the gate in the formula of GELU.
def gelu(x):
    return x / (1 + np.exp(-x))


# %% sigmoid_form_one_digit_less
# This is the quick approximation with a sigmoid and 1.7. The lesson asks for the form with tanh.
def gelu(x):
    return x / (1 + np.exp(-1.7 * x))


# %% elu
# This is ELU. Look at the formula of GELU: x times a gate between 0 and 1.
def gelu(x):
    return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)


# %% leaky_relu
# This is the leaky ReLU, two straight lines. GELU is smooth: look at its plot.
def gelu(x):
    return np.where(x > 0, x, 0.01 * x)


# %% leaky_relu_steeper
# This is a leaky ReLU, two straight lines. GELU is smooth: look at its plot.
def gelu(x):
    return np.where(x > 0, x, 0.1 * x)


# %% hard_swish
# This is the hard swish, made of straight pieces. Look at the formula of GELU.
def gelu(x):
    return x * np.clip(x + 3, 0, 6) / 6


# %% softplus
# This is softplus. GELU is zero at zero: look at its formula again.
def gelu(x):
    return np.log1p(np.exp(x))


# %% mish
# This is Mish: x times the tanh of its softplus. Look at what the tanh of GELU is applied to.
def gelu(x):
    return x * np.tanh(np.log1p(np.exp(x)))


# %% plain_tanh
# This is tanh alone. In GELU the tanh is only part of a gate that multiplies x.
def gelu(x):
    return np.tanh(x)


# %% plain_sigmoid
# This is the sigmoid alone. GELU is x times a gate.
def gelu(x):
    return 1 / (1 + np.exp(-x))


# %% coefficient_ten_times_too_large
# The coefficient of the cubic term is ten times too large. Look at the zeros behind the decimal point.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.44715 * x**3)))


# %% coefficient_ten_times_too_small
# The coefficient of the cubic term is ten times too small. Look at the zeros behind the decimal point.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.0044715 * x**3)))


# %% coefficient_digits_swapped
# Two digits of the cubic term's coefficient have changed places. Compare it with the formula, digit by digit.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.047415 * x**3)))


# %% coefficient_three_digits
# The coefficient of the cubic term is cut short: the values are close, but not the lesson's. Type all its digits.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.0447 * x**3)))


# %% coefficient_three_digits_rounded_up
# The coefficient of the cubic term is rounded up in its third digit. Type all its digits.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.0448 * x**3)))


# %% coefficient_two_digits
# The coefficient of the cubic term is rounded to two digits. Type all its digits.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.045 * x**3)))


# %% coefficient_one_digit
# The coefficient of the cubic term is rounded to one digit. Type all its digits.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.04 * x**3)))


# %% coefficient_four_digits
# The coefficient of the cubic term lacks its last digit: the values are close, but not the lesson's. Type all its digits.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.04471 * x**3)))


# %% coefficient_rounded_up
# The coefficient of the cubic term is rounded in its last digit: the values are close, but not the lesson's. Type all its digits.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.04472 * x**3)))


# %% coefficient_two_digits_cut
# The coefficient of the cubic term is cut off after two digits. Type all its digits.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044 * x**3)))


# %% root_four_digits
# The root of 2/pi is rounded to four digits: the values are close, but not the lesson's. Compute it instead of typing it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7979 * (x + 0.044715 * x**3)))


# %% root_five_digits
# The root of 2/pi is rounded to five digits: the values are close, but not the lesson's. Compute it instead of typing it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.79788 * (x + 0.044715 * x**3)))


# %% fraction_four_digits
# The fraction 2/pi under your root is rounded to four digits: the values are close, but not the lesson's. Compute it instead of typing it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(0.6366) * (x + 0.044715 * x**3)))


# %% root_three_digits
# The root of 2/pi is rounded to three digits. Compute it instead of typing it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.798 * (x + 0.044715 * x**3)))


# %% root_two_digits
# The root of 2/pi is rounded to a single digit behind the point. Compute it instead of typing it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.8 * (x + 0.044715 * x**3)))


# %% root_cut_short
# The root of 2/pi is cut off instead of rounded. Compute it instead of typing it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.797 * (x + 0.044715 * x**3)))


# %% root_four_digits_cut
# The root of 2/pi is cut off after four digits. Compute it instead of typing it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7978 * (x + 0.044715 * x**3)))


# %% root_two_digits_cut
# The root of 2/pi is cut off after two digits. Compute it instead of typing it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.79 * (x + 0.044715 * x**3)))


# %% both_constants_short
# Both constants are typed with a few digits only. Compute the root, and type the coefficient in full.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7979 * (x + 0.0447 * x**3)))


# %% both_constants_very_short
# Both constants are rounded to a digit or two. Compute the root, and type the coefficient in full.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.8 * (x + 0.045 * x**3)))


# %% pi_two_decimals
# Your pi is 3.14. NumPy knows it to full precision.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / 3.14) * (x + 0.044715 * x**3)))


# %% pi_four_decimals
# Your pi ends after a few digits. NumPy knows it to full precision.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / 3.1415) * (x + 0.044715 * x**3)))


# %% pi_three_decimals
# Your pi is 3.142. NumPy knows it to full precision.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / 3.142) * (x + 0.044715 * x**3)))


# %% pi_as_a_fraction
# Your pi is the fraction 22/7. NumPy knows it to full precision.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / (22 / 7)) * (x + 0.044715 * x**3)))


# %% root_of_two_over_pi_misread
# Only the 2 is under your root. Look at how far the root in the formula reaches.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2) / np.pi * (x + 0.044715 * x**3)))


# %% root_upside_down
# The fraction under your root is upside down. Compare it with the formula.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(np.pi / 2) * (x + 0.044715 * x**3)))


# %% root_missing
# 2/pi goes in without its root. Look at the sign around the fraction.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(2 / np.pi * (x + 0.044715 * x**3)))


# %% root_of_product
# You take the root of a product; in the formula there is a fraction under it.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 * np.pi) * (x + 0.044715 * x**3)))


# %% only_pi_under_the_root
# Only pi is under your root. Look at how far the root in the formula reaches.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(2 / np.sqrt(np.pi) * (x + 0.044715 * x**3)))


# %% root_left_out
# The factor in front of the bracket under tanh is missing. Compare the argument of tanh with the formula.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(x + 0.044715 * x**3))


# %% root_multiplies_x_only
# The root multiplies x, but not the cubic term. Look at the brackets inside tanh.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * x + 0.044715 * x**3))


# %% coefficient_multiplies_both
# The small coefficient multiplies x as well as its cube. Look at the brackets inside tanh.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * 0.044715 * (x + x**3)))


# %% coefficient_on_the_wrong_term
# The small coefficient stands before x instead of its cube. Look at the brackets inside tanh.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (0.044715 * x + x**3)))


# %% coefficient_missing
# The cube has lost its small coefficient. Compare the second term of the bracket with the formula.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + x**3)))


# %% coefficient_under_the_power
# The coefficient is raised to the third power together with x. Look at what the exponent belongs to.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + (0.044715 * x) ** 3)))


# %% square_for_cube
# The second term grows with the square, so it has the same sign on both sides. Look at its exponent.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**2)))


# %% horner_misread
# With x taken out of the bracket its second term would carry the square; here x was taken out and left inside as well. Multiply your bracket out and compare.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (1 + 0.044715 * x**2)))


# %% fourth_power
# The second term of the bracket has become a fourth power: its exponent is too high, or x was taken out of the bracket and the exponent stayed. Multiply your bracket out and compare.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**4)))


# %% fifth_power
# The exponent of the second term is too high. Compare it with the formula.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**5)))


# %% linear_for_cube
# The second term has no exponent, so it only stretches x. Compare it with the formula.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x)))


# %% cubic_missing
# The argument of tanh is a straight line. Look for the second term of the bracket.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * x))


# %% cubic_subtracted
# The cubic term is subtracted. Look at the sign inside the bracket.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x - 0.044715 * x**3)))


# %% x_missing
# You return the gate alone: it runs from 0 to 1. Look at what the gate multiplies.
def gelu(x):
    return 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% gate_without_half
# You return twice the gate and no x. Look at the two factors in front of the bracket.
def gelu(x):
    return 1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))


# %% one_missing
# tanh runs from -1 to 1, a gate should run from 0 to 1. Look at what is added to tanh before halving.
def gelu(x):
    return 0.5 * x * np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))


# %% one_and_half_missing
# You multiply x by tanh alone. A gate runs from 0 to 1: look at what the formula does to tanh first.
def gelu(x):
    return x * np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))


# %% gate_reversed
# Your gate closes for large x and opens for small ones. Look at the sign in front of tanh.
def gelu(x):
    return 0.5 * x * (1 - np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% brackets_missing
# The brackets around 1 + tanh are missing, so tanh is not multiplied by x. Put them back and compare.
def gelu(x):
    return 0.5 * x * 1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))


# %% half_of_the_sum
# The half multiplies a sum of x and tanh. Look at the brackets: the gate is a factor.
def gelu(x):
    return 0.5 * (x + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% half_under_tanh
# The half has moved under tanh. Look at the very first factor of the formula.
def gelu(x):
    return x * (1 + np.tanh(0.5 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% half_in_both_places
# One half too many: everything is half as large as it should be. Count them.
def gelu(x):
    return 0.5 * x * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% half_on_one_part
# The half reaches only one of the two parts of the gate. Look at the brackets.
def gelu(x):
    return x * (0.5 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% sigmoid_for_tanh
# The formula's tanh has become a sigmoid, inside the same bracket. They differ in range and in slope.
def gelu(x):
    z = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + 1 / (1 + np.exp(-z)))


# %% sigmoid_of_half_the_argument
# Your gate is too soft by a factor of two inside: a sigmoid takes another argument than tanh for the same gate, or the constant before the bracket is wrong. Compare its slope at zero.
def gelu(x):
    z = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return x / (1 + np.exp(-z))


# %% erf_of_the_tanh_argument
# You put the argument of tanh into the error function: half of one form, half of the other. Take the form with tanh.
from math import erf


def gelu(x):
    z = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + np.vectorize(erf)(z))


# %% tanh_of_the_erf_argument
# You put the argument of the error function into tanh: half of one form, half of the other. Look at what stands under tanh.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(x / np.sqrt(2)))


# %% sinh_for_tanh
# You use sinh, which grows without bound. Look at the function in the formula.
def gelu(x):
    return 0.5 * x * (1 + np.sinh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% arctan_for_tanh
# You use the inverse tangent. Look at the function in the formula: one letter matters.
def gelu(x):
    return 0.5 * x * (1 + np.arctan(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% squared_relu_style
# The gate is multiplied by the square of x. Look at the factors in front of the bracket.
def gelu(x):
    return 0.5 * x**2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% negative_side_cut
# The values are right for positive numbers, but the negative ones are cut to zero. GELU dips below zero there.
def gelu(x):
    return np.maximum(0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))), 0)


# %% cubed_in_place
# `**=` writes the cube into the caller's array, and every later x in your formula is the cube as well. Use `**` and a name of its own.
def gelu(x):
    inner = x.copy()
    x **= 3
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * x)))


# %% cubed_in_place_everywhere
# `**=` changes the caller's array before x itself is used, so the cube stands where x belongs. Use `**` and a name of its own.
def gelu(x):
    x **= 3
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x)))


# %% changed_in_place
# The result is right, but it is written into the caller's x. Return an array of your own.
def gelu(x):
    x *= 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    return x


# %% halved_in_place
# The result is right, but the caller's x comes back halved. Give the half a name of its own.
def gelu(x):
    gate = 1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))
    x *= 0.5
    return x * gate


# %% rounded
# Your result is rounded to a few decimals. Rounding is for printing: return the numbers as they are.
def gelu(x):
    return np.round(0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))), 4)


# %% printed_not_returned
# Your function shows its result and returns nothing. Look for the return at its end.
def gelu(x):
    print(0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))


# %% nothing_returned
# Your function returns nothing. Look for the return at its end.
def gelu(x):
    out = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% flattened
# The values are right, but the result has lost the shape of x. Each number is treated alone: no reshaping is needed.
def gelu(x):
    x = np.ravel(x)
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% one_number_only
# The branch on the sign of x asks a whole array one question. Use something that decides for each number.
def gelu(x):
    if x > 0:
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 - np.tanh(np.sqrt(2 / np.pi) * (-x - 0.044715 * x**3)))


# %% returns_x
# x comes back as it went in. Start with the argument of tanh.
def gelu(x):
    return x


# %% selu
# You have written SELU, another curve with a similar name. Look at the formula in the text.
def gelu(x):
    return 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * (np.exp(np.minimum(x, 0)) - 1))


# %% relu_capped_at_six
# You cut below zero and above six: that is another curve. Look at the formula in the text.
def gelu(x):
    return np.clip(x, 0, 6)


# %% e_for_pi
# Look at the number under the root: another famous constant stands there.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.e) * (x + 0.044715 * x**3)))


# %% cube_without_sign
# A cube keeps the sign of x; yours is never negative. Look at the power.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * np.abs(x) ** 3)))


# %% root_of_everything
# Your root covers more than the formula says. Look at where its bar ends.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi * (x + 0.044715 * x**3))))


# %% half_before_the_tanh_only
# The factor one half multiplies the tanh alone. Look at what its brackets hold.
def gelu(x):
    return x * (1 + 0.5 * np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% half_precision
# You compute in half precision, which has three digits. Leave the numbers in the type they come in.
def gelu(x):
    x = x.astype(np.float16)
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# %% functions_for_one_number
# The functions of `math` take one number and fail on an array. NumPy has them for arrays.
import math


def gelu(x):
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


# %% x_added_at_the_end
# You add x where the formula multiplies by it. Look at what stands between the factors.
def gelu(x):
    return 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) + x


# %% slope_of_gelu
# You return the derivative. The function itself is asked for.
def gelu(x):
    k = np.sqrt(2 / np.pi)
    t = np.tanh(k * (x + 0.044715 * x**3))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * k * (1 + 3 * 0.044715 * x**2)


# %% pi_left_out
# The number pi is missing under the root.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2) * (x + 0.044715 * x**3)))


# %% two_left_out
# Under the root stands one over pi. Look at what is divided by pi there.
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(1 / np.pi) * (x + 0.044715 * x**3)))


# %% sigmoid_of_twice_x
# You multiply x by a sigmoid of twice x. That is another curve: look at the formula in the text.
def gelu(x):
    return x / (1 + np.exp(-2 * x))


# %% kept_by_shape
# Your function keeps its answer for each shape, and gives it again for other numbers of that shape.
_kept = {}


def gelu(x):
    if np.shape(x) not in _kept:
        _kept[np.shape(x)] = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    return _kept[np.shape(x)]
