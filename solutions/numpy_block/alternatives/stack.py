# %% [markdown]
# Right answers to `stack_forward` in other styles.

# %% reduced
# functools.reduce over the list.
from functools import reduce


def stack_forward(x, list_of_params):
    return reduce(transformer_block_forward, list_of_params, x)


# %% recursion_on_the_tail
# Recursion: the first block, then the rest.
def stack_forward(x, list_of_params):
    if not list_of_params:
        return x
    return stack_forward(transformer_block_forward(x, list_of_params[0]), list_of_params[1:])


# %% recursion_on_the_head
# Recursion: all but the last block, then the last.
def stack_forward(x, list_of_params):
    if len(list_of_params) == 0:
        return x
    *rest, last = list_of_params
    return transformer_block_forward(stack_forward(x, rest), last)


# %% indices
# A loop over indices.
def stack_forward(x, list_of_params):
    for i in range(len(list_of_params)):
        x = transformer_block_forward(x, list_of_params[i])
    return x


# %% while_loop
# A while loop with a counter.
def stack_forward(x, list_of_params):
    i = 0
    while i < len(list_of_params):
        x, i = transformer_block_forward(x, list_of_params[i]), i + 1
    return x


# %% popped_from_a_copy
# Pops from a private copy of the list.
def stack_forward(x, list_of_params):
    waiting = list(list_of_params)
    while waiting:
        x = transformer_block_forward(x, waiting.pop(0))
    return x


# %% queue
# A deque of its own.
from collections import deque


def stack_forward(x, list_of_params):
    queue = deque(list_of_params)
    while queue:
        x = transformer_block_forward(x, queue.popleft())
    return x


# %% private_copy_of_x
# Starts from a copy of x and writes each result into it.
def stack_forward(x, list_of_params):
    stream = np.copy(x)
    for p in list_of_params:
        stream[...] = transformer_block_forward(stream, p)
    return stream


# %% updates_summed
# Adds what each block adds.
def stack_forward(x, list_of_params):
    total = x
    for p in list_of_params:
        update = transformer_block_forward(total, p) - total
        total = total + update
    return total


# %% all_streams_kept
# Keeps every stream and returns the last.
def stack_forward(x, list_of_params):
    streams = [x]
    for p in list_of_params:
        streams.append(transformer_block_forward(streams[-1], p))
    return streams[-1]


# %% generator_of_streams
# A generator of streams; the last one counts.
def stream_after_each(x, blocks):
    yield x
    for p in blocks:
        x = transformer_block_forward(x, p)
        yield x


def stack_forward(x, list_of_params):
    *_, last = stream_after_each(x, list_of_params)
    return last


# %% accumulated
# itertools.accumulate.
from itertools import accumulate


def stack_forward(x, list_of_params):
    return list(accumulate(list_of_params, transformer_block_forward, initial=x))[-1]


# %% composed_functions
# The blocks as functions, composed before they run.
from functools import partial


def stack_forward(x, list_of_params):
    def composed(y):
        for block in [partial(lambda p, z: transformer_block_forward(z, p), p) for p in list_of_params]:
            y = block(y)
        return y

    return composed(x)


# %% iterator
# next() until there is none left.
def stack_forward(x, list_of_params):
    blocks = iter(list_of_params)
    while (p := next(blocks, None)) is not None:
        x = transformer_block_forward(x, p)
    return x


# %% example_by_example
# One example at a time.
def stack_forward(x, list_of_params):
    out = []
    for i in range(len(x)):
        one = x[i : i + 1]
        for p in list_of_params:
            one = transformer_block_forward(one, p)
        out.append(one)
    return np.concatenate(out)


# %% verbose
# An optional verbose, other parameter names.
def stack_forward(tokens, blocks, verbose=True):
    for number, block in enumerate(blocks, start=1):
        tokens = transformer_block_forward(tokens, block)
        if verbose:
            print(f"after block {number}: {tokens.shape}")
    return tokens


# %% callable_object
# An instance of a class with __call__.
class Stack:
    def __call__(self, x, list_of_params):
        for p in list_of_params:
            x = self.step(x, p)
        return x

    def step(self, x, p):
        return transformer_block_forward(x, p)


stack_forward = Stack()


# %% block_as_an_argument
# The block can be passed, and the loop has an else.
def stack_forward(x, list_of_params, block=None):
    block = block or transformer_block_forward
    for p in list_of_params:
        x = block(x, p)
    else:
        return np.asarray(x)
