# %% average_for_largest
# You report the average. One wrong gradient among twelve right ones hides in it: which number does not hide it?
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    differences = [difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))]
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            differences.append(difference(grads[name], n))
    return np.mean(differences)


# %% last_for_largest
# You report the number of the parameter that comes last. Look at what the loop does with the numbers before it.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = difference(grads[name], n)
    return worst


# %% sum_for_largest
# You add the numbers up. Asked for is the largest of them.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst += difference(grads[name], n)
    return worst


# %% x_left_out
# You check the parameters alone. dx has a numerical gradient as well.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    _, grads = transformer_block_backward(x, p, dout)
    worst = 0.0
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% x_alone
# You check dx alone. Every parameter has a gradient that may be wrong.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, _ = transformer_block_backward(x, p, dout)
    return difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))


# %% matrices_alone
# You check dx and the matrices. Biases, scales and shifts have gradients that may be wrong, too.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name.startswith("W"):
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% norms_left_out
# You leave the parameters of the layer norms out. Their gradients may be wrong, too.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h" and not name.startswith("ln"):
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% biases_left_out
# You leave b1 and b2 out. Their gradients may be wrong, too.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name not in ("h", "b1", "b2"):
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% stops_after_the_first_parameter
# Your loop ends after its first parameter. Look at how far the return is indented.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
            return worst


# %% absolute_difference
# You report the size of the difference itself. It depends on how large the gradients are: by what is it divided in
# the text?
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% largest_entry_difference
# You report the largest difference of single entries. The text compares whole arrays, and divides by their sizes.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.max(np.abs(a - n))

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% entry_by_entry
# You take the ratio entry by entry. An entry near zero makes it large for no reason: the text takes the size of whole
# arrays.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.max(np.abs(a - n) / np.maximum(np.abs(a) + np.abs(n), 1e-12))

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% largest_entries
# You compare the largest entries. The text takes the root of the sum of squares over the whole array.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.abs(a - n).max() / max(np.abs(a).max() + np.abs(n).max(), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% sums_of_absolute_values
# You measure arrays by the sum of their absolute values. The text takes the root of the sum of squares.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.abs(a - n).sum() / max(np.abs(a).sum() + np.abs(n).sum(), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% squares_without_root
# Your sizes lack the root. Small differences become far too small that way.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.sum((a - n) ** 2) / max(np.sum(a**2) + np.sum(n**2), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% larger_size_for_sum
# You divide by the larger of the two sizes. Look at what stands below the line in the text.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a), np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% divided_by_numerical
# You divide by the size of the numerical gradient alone. Look at what stands below the line in the text.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% divided_by_analytic
# You divide by the size of the analytic gradient alone. Look at what stands below the line in the text.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% size_of_the_sum
# You divide by the size of a + n. Look at what stands below the line in the text: two sizes.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a + n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% no_floor
# Where both gradients are zero you divide zero by zero. See what the text does about it.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / (np.linalg.norm(a) + np.linalg.norm(n))

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% one_ratio_for_all
# You put all gradients into one long vector. A fault in a small parameter disappears behind the large ones: each
# array gets a number of its own.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    analytic, numeric = [dx.ravel()], [numerical_gradient(lambda moved: loss(moved, p), x, step).ravel()]
    for name in p:
        if name != "h":
            analytic.append(grads[name].ravel())
            numeric.append(numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step).ravel())
    return difference(np.concatenate(analytic), np.concatenate(numeric))


# %% sum_of_outputs
# Your loss is the sum of the outputs. dout does not enter it, though backward is given it: which loss has dout
# as its gradient?
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p))

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% mean_for_sum
# Your loss is a mean. Its gradient with respect to out is not dout but a part of it.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.mean(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% half_squared_loss
# Your loss is half the square of out times dout. Which loss has dout as its gradient?
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum((transformer_block_forward(x, p) * dout) ** 2) / 2

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% true_or_false
# You report whether the check is passed. Asked for is the number itself.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst < 1e-6


# %% one_sided
# You take one-sided differences. The text asks for central ones, and a coarse step shows it.
def gradient_check(x, p, dout, step=1e-5):
    def differences(array):
        result = np.zeros_like(array)
        for i in np.ndindex(array.shape):
            array[i] += step
            up = np.sum(transformer_block_forward(x, p) * dout)
            array[i] -= step
            down = np.sum(transformer_block_forward(x, p) * dout)
            result[i] = (up - down) / step
        return result

    dx, grads = transformer_block_backward(x, p, dout)
    worst = 0.0
    for name in ["x", *p]:
        if name != "h":
            a, n = (dx, differences(x)) if name == "x" else (grads[name], differences(p[name]))
            worst = max(worst, np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12))
    return worst


# %% divided_by_one_step
# Your numerical gradients are twice too large, so that even a right backward pass gets a third. How far apart are the
# two points?
def gradient_check(x, p, dout, step=1e-5):
    def differences(array):
        result = np.zeros_like(array)
        for i in np.ndindex(array.shape):
            array[i] += step
            up = np.sum(transformer_block_forward(x, p) * dout)
            array[i] -= 2 * step
            down = np.sum(transformer_block_forward(x, p) * dout)
            array[i] += step
            result[i] = (up - down) / step
        return result

    dx, grads = transformer_block_backward(x, p, dout)
    worst = 0.0
    for name in ["x", *p]:
        if name != "h":
            a, n = (dx, differences(x)) if name == "x" else (grads[name], differences(p[name]))
            worst = max(worst, np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12))
    return worst


# %% left_moved
# After the check x and the parameters are not what they were: each entry has been left a step away. Put it back
# before you go on.
def gradient_check(x, p, dout, step=1e-5):
    def differences(array):
        result = np.zeros_like(array)
        for i in np.ndindex(array.shape):
            array[i] += step
            up = np.sum(transformer_block_forward(x, p) * dout)
            array[i] -= 2 * step
            down = np.sum(transformer_block_forward(x, p) * dout)
            result[i] = (up - down) / (2 * step)
        return result

    dx, grads = transformer_block_backward(x, p, dout)
    worst = 0.0
    for name in ["x", *p]:
        if name != "h":
            a, n = (dx, differences(x)) if name == "x" else (grads[name], differences(p[name]))
            worst = max(worst, np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12))
    return worst


# %% copies_that_share_arrays
# Your numerical gradients are zero, so that everything gets 1. dict(p) makes a new dictionary, but what do the two
# dictionaries hold?
def gradient_check(x, p, dout, step=1e-5):
    dx, grads = transformer_block_backward(x, p, dout)
    worst = 0.0
    for name in ["x", *p]:
        if name == "h":
            continue
        a = dx if name == "x" else grads[name]
        n = np.zeros_like(a)
        for i in np.ndindex(a.shape):
            up, down = {**p, "x": x}, {**p, "x": x}
            up[name][i] += step
            down[name][i] -= step
            difference = transformer_block_forward(up["x"], up) - transformer_block_forward(down["x"], down)
            n[i] = np.sum(difference * dout) / (2 * step)
        worst = max(worst, np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12))
    return worst


# %% backward_at_the_moved_point
# You ask for the analytic gradients when the parameters have already been moved and left there. Take them at the
# point where you were called.
def gradient_check(x, p, dout, step=1e-5):
    def differences(array):
        result = np.zeros_like(array)
        for i in np.ndindex(array.shape):
            array[i] += step
            up = np.sum(transformer_block_forward(x, p) * dout)
            array[i] -= 2 * step
            down = np.sum(transformer_block_forward(x, p) * dout)
            result[i] = (up - down) / (2 * step)
        return result

    worst = 0.0
    for name in ["x", *p]:
        if name != "h":
            n = differences(x if name == "x" else p[name])
            dx, grads = transformer_block_backward(x, p, dout)
            a = dx if name == "x" else grads[name]
            worst = max(worst, np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12))
    return worst


# %% average_and_x_left_out
# Two things. You report the average, in which one wrong gradient hides. And dx is not among the gradients that you
# check.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    differences = []
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            differences.append(difference(grads[name], n))
    return np.mean(differences)


# %% absolute_and_no_dout
# Two things. Your loss does not hold dout, so its gradient is another one. And the difference is not divided by the
# sizes.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p))

    def difference(a, n):
        return np.linalg.norm(a - n)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x, step))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name], step)
            worst = max(worst, difference(grads[name], n))
    return worst


# %% step_ignored
# The step of the call has no effect. Follow it through your function: it must arrive where f is looked at to both sides.
def gradient_check(x, p, dout, step=1e-5):
    def loss(x, p):
        return np.sum(transformer_block_forward(x, p) * dout)

    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    worst = difference(dx, numerical_gradient(lambda moved: loss(moved, p), x))
    for name in p:
        if name != "h":
            n = numerical_gradient(lambda moved: loss(x, {**p, name: moved}), p[name])
            worst = max(worst, difference(grads[name], n))
    return worst


# %% always_zero
# Your number is 0 whatever the gradients are. Does it hold both of them, the one from backward and the numerical one?
def gradient_check(x, p, dout, step=1e-5):
    return 0.0


# %% x_put_into_p
# The number is right, but p has a new entry after the call. If you want one dictionary for all arrays, make a new one.
def gradient_check(x, p, dout, step=1e-5):
    def difference(a, n):
        return np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)

    dx, grads = transformer_block_backward(x, p, dout)
    p["x"] = x
    worst = 0.0
    for name in p:
        if name != "h":
            f = lambda moved: np.sum(transformer_block_forward(**arguments(p, name, moved)) * dout)
            n = numerical_gradient(f, p[name], step)
            worst = max(worst, difference(dx if name == "x" else grads[name], n))
    return worst


def arguments(p, name, moved):
    changed = {**p, name: moved}
    return {"x": changed["x"], "p": changed}


# %% smallest_for_largest
# You return the smallest of the numbers. One gradient at fault would hide behind the others.
def gradient_check(x, p, dout, step=1e-5):
    dx, grads = transformer_block_backward(x, p, dout)
    pairs = {"x": (dx, numerical_gradient(lambda moved: np.sum(transformer_block_forward(moved, p) * dout), x, step))}
    for name in p:
        if name != "h":

            def loss(moved):
                return np.sum(transformer_block_forward(x, {**p, name: moved}) * dout)

            pairs[name] = grads[name], numerical_gradient(loss, p[name], step)
    numbers = {
        name: np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)
        for name, (a, n) in pairs.items()
    }
    return min(numbers.values())


# %% all_numbers
# You return all numbers. One is asked for, the largest.
def gradient_check(x, p, dout, step=1e-5):
    dx, grads = transformer_block_backward(x, p, dout)
    pairs = {"x": (dx, numerical_gradient(lambda moved: np.sum(transformer_block_forward(moved, p) * dout), x, step))}
    for name in p:
        if name != "h":

            def loss(moved):
                return np.sum(transformer_block_forward(x, {**p, name: moved}) * dout)

            pairs[name] = grads[name], numerical_gradient(loss, p[name], step)
    numbers = {
        name: np.linalg.norm(a - n) / max(np.linalg.norm(a) + np.linalg.norm(n), 1e-12)
        for name, (a, n) in pairs.items()
    }
    return numbers


# %% mean_squared_difference
# Your number is a mean squared difference, which depends on the units of the loss. Compare it with the formula.
def gradient_check(x, p, dout, step=1e-5):
    dx, grads = transformer_block_backward(x, p, dout)
    pairs = {"x": (dx, numerical_gradient(lambda moved: np.sum(transformer_block_forward(moved, p) * dout), x, step))}
    for name in p:
        if name != "h":

            def loss(moved):
                return np.sum(transformer_block_forward(x, {**p, name: moved}) * dout)

            pairs[name] = grads[name], numerical_gradient(loss, p[name], step)
    numbers = {name: np.mean((a - n) ** 2) for name, (a, n) in pairs.items()}
    return max(numbers.values())


# %% angle_between_them
# Your number only sees the direction of the gradients, not their length.
def gradient_check(x, p, dout, step=1e-5):
    dx, grads = transformer_block_backward(x, p, dout)
    pairs = {"x": (dx, numerical_gradient(lambda moved: np.sum(transformer_block_forward(moved, p) * dout), x, step))}
    for name in p:
        if name != "h":

            def loss(moved):
                return np.sum(transformer_block_forward(x, {**p, name: moved}) * dout)

            pairs[name] = grads[name], numerical_gradient(loss, p[name], step)
    numbers = {
        name: 1 - np.vdot(a, n) / max(np.linalg.norm(a) * np.linalg.norm(n), 1e-12) for name, (a, n) in pairs.items()
    }
    return max(numbers.values())
