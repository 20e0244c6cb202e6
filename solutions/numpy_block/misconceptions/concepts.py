# %% [markdown]
# Wrong choices in `concepts`, one at a time.

# %% shape_from_layer_norm
# For `shape` you name layer norm. It moves and stretches the features of a token, but never changes how many there are. Look at what an addition asks of its two sides.
concepts = {"shape": "a", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% shape_from_softmax
# For `shape` you name softmax. Its rows sum to one, but sums are not shapes. Look at what an addition asks of its two sides.
concepts = {"shape": "b", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% shape_from_dropping
# For `shape` you say that hidden features are dropped. None is: look at what the second matrix of the feed-forward network does with them.
concepts = {"shape": "d", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% attention_as_feed_forward
# For `attention` you describe the feed-forward network. Look at the table of the four ingredients: which of them sees more than one token?
concepts = {"shape": "c", "attention": "a", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% attention_as_layer_norm
# For `attention` you describe layer norm. Look at the table of the four ingredients: which of them sees more than one token?
concepts = {"shape": "c", "attention": "b", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% attention_as_residual
# For `attention` you describe the residual addition. Look at the table of the four ingredients: which of them sees more than one token?
concepts = {"shape": "c", "attention": "c", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% ffn_weights_per_position
# For `ffn_sharing` you give every position weights of its own. Look at the shapes of W1 and W2: does T appear in them?
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "b", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% ffn_weights_per_head
# For `ffn_sharing` you give every head weights of its own. Heads belong to attention: look at the shapes of W1 and W2.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "c", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% ffn_on_joined_tokens
# For `ffn_sharing` you join the tokens into one long vector. Look at the shapes of W1 and W2, and at what running token by token gave.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "d", "residual": "b", "layer_norm_axis": "d", "depth": "b"}

# %% residual_keeps_the_size
# For `residual` you say that the size of the stream stays the same. Look at what rms_by_depth showed for larger weights.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "a", "layer_norm_axis": "d", "depth": "b"}

# %% residual_saves_parameters
# For `residual` you name parameters saved. Count them: an addition changes none of the matrices. Look at what the text says after the formula of the block.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "c", "layer_norm_axis": "d", "depth": "b"}

# %% residual_makes_linear
# For `residual` you say that the block becomes linear. GELU and softmax are still inside. Look at what the text says after the formula of the block.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "d", "layer_norm_axis": "d", "depth": "b"}

# %% layer_norm_as_batch_norm
# For `layer_norm_axis` you describe a norm over the batch. Look at the worked example: whose numbers are averaged there?
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "a", "depth": "b"}

# %% layer_norm_over_tokens
# For `layer_norm_axis` you average over the tokens. Look at the axis in your own layer_norm, and at what lies on it.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "b", "depth": "b"}

# %% layer_norm_over_the_example
# For `layer_norm_axis` you average over all tokens together. Look at the five tokens of very different sizes: what did each of them come out as?
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "c", "depth": "b"}

# %% depth_adds_features
# For `depth` you say that features are added behind the old ones. Look at the shape of the stream before and after a block.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "a"}

# %% depth_as_repetition
# For `depth` you say that one calculation is repeated. Look at where each block's parameters come from.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "c"}

# %% depth_as_reach
# For `depth` you say that later blocks reach tokens that earlier ones could not. Look at which tokens one attention without a mask sees.
concepts = {"shape": "c", "attention": "d", "ffn_sharing": "a", "residual": "b", "layer_norm_axis": "d", "depth": "d"}
