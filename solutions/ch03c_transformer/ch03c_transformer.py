# %% [markdown] lang="zh"
r"""
# 3c Transformer：装起来，练起来，让它说话

3b 的两种块都写好了：编码器块让源句的词互相看，解码器块让译文的词看前面的自己，再看源句。这一章把它们摞成论文 *Attention Is All You Need* 里的那个完整的 **Transformer**，补上当年训练它的两样手艺：标签平滑（label smoothing）和学习率预热（warm-up），然后让它开口说话：先用贪心解码，再用束搜索（beam search），最后学一个让它说得快的办法。说完了，再把每一个头看一遍；最后让 Transformer 和 GRU、和照抄，在同一个测试集上比。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `label_smoothing` | 3 | 8 | 核心 | 分出去的份额由**全部** V 个词元平分，正确的那个也有一份 | 手写的编号 |
| `warmup_schedule` | 3 | 8 | 核心 | 第一步是 1，不是 0 | 公式 |
| `transformer_logits` | 7 | 25 | 核心 | 布尔掩码，`True` = 可以看；译文用因果掩码，源句用填充掩码 | 随机的层，长短不一的句子 |
| `greedy_decode_transformer` | 5 | 20 | 核心 | 源句只读一次；不含 `begin_id`，先说完的行用 `end_id` 补齐 | 按剧本说话的模型 |
| `beam_search` | 8 | 35 | 核心 | $\log P / ((5 + n) / 6)^\alpha$，n 数上 `end_id` | 埋了陷阱的概率表 |
| `kv_cache_step` | 5 | 15 | 加分 | 新的键和值接在后面；结果和不用缓存时一样 | 随机张量 |
| `drill_ch03c_transformer` | 5 | 15 | 核心 | 一批句子的损失，加一次束搜索 | 一段有一处毛病的代码 |
| `written_ch03c_transformer` | 0 | 12 | 核心 | 老师评阅，不计入 36 分 | 本章的图和数字 |

核心练习 31 分，加分题 5 分。只做练习大约两小时，连同实验不到三小时；分两次做的话，3c.6 之后是个合适的停顿处。

做题、看提示、保存、交作业的办法和前几章一样：每题下面运行 `check(...)`，有错的地方想看提示，就点开；回来接着做时，从头**按顺序**运行各个单元格。
"""

# %% [markdown] lang="en"
r"""
# 3c The Transformer: assembled, trained, speaking

Both blocks of 3b are there: an encoder block lets the words of the source look at each other, a decoder block lets each word of the target look at the target so far and then at the source. In this notebook you stack them into the whole **Transformer** of *Attention Is All You Need*, add two tricks it was trained with (label smoothing and a warm-up of the learning rate), and let it speak: by greedy decoding first, then by beam search, and in the end in a way that is fast. Then you look at every one of its heads, and set it beside a GRU and beside plain copying on one test set.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `label_smoothing` | 3 | 8 | core | what is given away is shared by **all** V tokens, the right one among them | ids written by hand |
| `warmup_schedule` | 3 | 8 | core | the first step is 1, not 0 | a formula |
| `transformer_logits` | 7 | 25 | core | boolean masks, `True` = may attend; causal for the target, padding for the source | random layers, sentences of several lengths |
| `greedy_decode_transformer` | 5 | 20 | core | the source is read once; no `begin_id`, ended rows filled with `end_id` | models that follow a script |
| `beam_search` | 8 | 35 | core | $\log P / ((5 + n) / 6)^\alpha$, where n counts `end_id` | tables of probabilities with a trap |
| `kv_cache_step` | 5 | 15 | stretch | new keys and values go to the end; same result as without a cache | random tensors |
| `drill_ch03c_transformer` | 5 | 15 | core | the loss of a batch, then a beam search | a piece of code with one fault |
| `written_ch03c_transformer` | 0 | 12 | core | read by your teacher, not part of the 36 points | the pictures and numbers of this notebook |

31 core points and 5 to stretch for. The exercises take about two hours, with the experiments a little under three; if you make it two sittings, after 3c.6 is a good place to pause.

Working, hints, saving and handing in go as in the earlier notebooks: run `check(...)` under each exercise and, where something is wrong, open the hints if you want them; when you come back, run the cells from the top **in order**.
"""

# %%
import math
import warnings

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.attention import attention_map
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.analysis.search_tree import search_tree
from bert_keras.layers.attention import (
    MultiHeadAttention,
    merge_heads,
    scaled_dot_product,
    split_heads,
)
from bert_keras.layers.masks import causal_mask
from bert_keras.models.sequence_pieces import shift_right
from bert_keras.models.transformer import Transformer
from bert_keras.text.batching import decode_batch, encode_batch
from bert_keras.text.corpora import toy_translation

LANG = language()
np.set_printoptions(suppress=True)
# The first word said has only itself to look at; Keras finds a softmax over one number suspicious.
warnings.filterwarnings("ignore", message="You are using a softmax over axis")


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


def apart(gap):
    """How far two results are from each other, in words."""
    if gap == 0:
        return text("一模一样", "exactly the same")
    return text(f"最多差 {gap:.0e}", f"at most {gap:.0e} apart")


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


# %% [markdown] lang="zh"
r"""
## 3c.1 还差什么？

两种块已经有了，还差几根线。整台机器是这样的（L 是块数，论文里两边各 6 块）：

```text
token_ids (B, S)                          target_ids (B, T)
    │ source_embeddings                       │ target_embeddings
    ▼                                         ▼
 (B, S, D)                                 (B, T, D)
    │                                         │
 encoder_block 1  ◄── padding (B, 1, S)    decoder_block 1  ◄── causal (1, T, T)
    │                                         │        ▲
   ...                                       ...       ├── source (B, S, D)
    │                                         │        ├── padding (B, 1, S)
 encoder_block L                           decoder_block L
    │                                         │
    ▼                                         ▼
 source (B, S, D)  ──► every decoder block  score
                                              ▼
                                           logits (B, T, V)
```

左边读一遍，右边说。训练时译文是已知的，右边的 T 个位置**一次算完**，因果掩码保证谁也没偷看后面的；说话时译文还不存在，只能一个词一个词地来。所以同一台机器有两副面孔：训练时并行，说话时一步一步。

给它一门小语言来学：程序造的，和第 2 章用的是同一门。词序不同（形容词、冠词在名词后面，动词在最后），而且形容词和冠词要跟名词的性、数一致。一致是难点：译 `young` 不能只看 `young`，还得知道它修饰的名词是阴性还是阳性。源句的英语也是简化过的：`a` 从不变成 `an`，`-s` 多半直接一加了事，见到 a old road 和 watchs，别当成错字。正确答案和每个词该由哪些源词决定，造句的时候就记下了。
"""

# %% [markdown] lang="en"
r"""
## 3c.1 What is missing?

Both kinds of blocks are there; a few wires are missing. Here is the whole machine (L is the number of blocks, 6 on either side in the paper):

```text
token_ids (B, S)                          target_ids (B, T)
    │ source_embeddings                       │ target_embeddings
    ▼                                         ▼
 (B, S, D)                                 (B, T, D)
    │                                         │
 encoder_block 1  ◄── padding (B, 1, S)    decoder_block 1  ◄── causal (1, T, T)
    │                                         │        ▲
   ...                                       ...       ├── source (B, S, D)
    │                                         │        ├── padding (B, 1, S)
 encoder_block L                           decoder_block L
    │                                         │
    ▼                                         ▼
 source (B, S, D)  ──► every decoder block  score
                                              ▼
                                           logits (B, T, V)
```

The left half reads once, the right half speaks. In training the target is known, so all T positions on the right are computed **at once**, and the causal mask sees to it that none of them peeks ahead; when it speaks there is no target yet, and it has to go word by word. One machine with two faces: parallel in training, step by step in speaking.

We give it a small language to learn, made by a program, the one of chapter 2. Its word order differs (adjectives and articles follow the noun, the verb comes last), and adjectives and articles agree with their noun in gender and number. Agreement is the hard part: to translate `young` it isn't enough to look at `young`; one must know the gender of the noun it belongs to. The English side is simplified, too: `a` never becomes `an`, and an `-s` is mostly just added, so "a old road" and "watchs" are no misprints. The right answers are recorded while sentences are made, and so is which source words decide each target word.
"""

# %%
pairs = toy_translation.load(kind="grammar", count=8_000, shortest=5, longest=12)


def numbered(sentences):
    """A vocabulary of all words of some sentences, after the four special ones."""
    words = sorted({word for sentence in sentences for word in sentence})
    return {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[BOS]", "[EOS]", *words])}


SOURCE_WORDS = numbered(pair.source for pair in pairs["train"])
TARGET_WORDS = numbered(pair.target for pair in pairs["train"])
BEGIN, END = TARGET_WORDS["[BOS]"], TARGET_WORDS["[EOS]"]


def arrays_of(some):
    """What a model is fed, and what it is to say; see `shift_right` of 1a."""
    token_ids, padding_mask = encode_batch([[*pair.source] for pair in some], SOURCE_WORDS)
    target = encode_batch([[*pair.target] for pair in some], TARGET_WORDS)
    target_ids, label_ids, label_mask = (np.asarray(part) for part in shift_right(*target))
    inputs = {"token_ids": token_ids, "padding_mask": padding_mask, "target_ids": target_ids}
    return inputs, {"label_ids": label_ids, "label_mask": label_mask}


for pair in pairs["test"][:3]:
    print(" ".join(pair.source), "→", " ".join(pair.target))
say(
    f"训练用 {len(pairs['train'])} 句，测试用 {len(pairs['test'])} 句；"
    f"源句的词 {len(SOURCE_WORDS)} 个，译文的词 {len(TARGET_WORDS)} 个",
    f"{len(pairs['train'])} sentences to train on and {len(pairs['test'])} to test; "
    f"{len(SOURCE_WORDS)} words in the source and {len(TARGET_WORDS)} in the target",
)

# %% [markdown] lang="zh"
r"""
## 3c.2 练习：标签平滑

交叉熵要的是正确的词元概率为 1。softmax 永远到不了 1，只能让正确的那个 logit 比别的高出一截，再高出一截，没有尽头；模型越来越有把握，错的时候也一样有把握。Szegedy 等人（2016）的办法叫**标签平滑**，把标签改软一点：正确的词元不要 1，分出 $s$ 这么一份，由词表里的全部词元平分。Transformer 的论文用的是 $s = 0.1$。

用手算一次，V = 5，s = 0.1，正确的是 2 号：先从 1 里分出 0.1，剩 0.9；0.1 由 5 个词元平分，每个 0.02，**正确的那个也有一份**：

| 词元 | 0 | 1 | 2 | 3 | 4 |
|---|---|---|---|---|---|
| 硬标签 | 0 | 0 | 1 | 0 | 0 |
| 软标签 | 0.02 | 0.02 | 0.92 | 0.02 | 0.02 |

网上的代码里，除数有写 V 的，有写 V − 1 的（正确的那个不参加平分），还有写 V − 2 的（填充也不参加）。都有道理，可是混着用，每一行加起来就不是 1 了。这里用 V，论文和 Keras 也是这样。

写 `label_smoothing(label_ids, num_tokens, smoothing=0.1)`：

- `label_ids`：整数，形状任意，(...)，每个在 0 到 V − 1 之间；常见的是 (B, T)。
- `num_tokens`：整数，词表大小 V。
- `smoothing`：浮点数 $s$，从 0 到不足 1，分出去的份额。
- **返回** `float32`，形状 (..., V)：正确的词元是 $1 - s + s / V$，其余每个都是 $s / V$。每一行的和是 1。
- 填充的位置不特殊对待：它们由损失里的掩码去掉。
- 训练时它在编译成的图里运行，所以用 `ops`，不用 NumPy。
"""

# %% [markdown] lang="en"
r"""
## 3c.2 Exercise: label smoothing

Cross-entropy asks for a probability of 1 at the right token. A softmax never gets there; all it can do is push the right logit above the others, and further, and further, without end. The model grows surer and surer, and it is just as sure when it is wrong. Szegedy and colleagues (2016) soften the labels, which they call **label smoothing**: the right token isn't asked to have 1; a share $s$ of it is given away, in equal parts to all tokens of the vocabulary. The Transformer paper took $s = 0.1$.

Once by hand, V = 5, s = 0.1, and token 2 is right: take 0.1 away from 1, which leaves 0.9; the 0.1 are shared by 5 tokens, 0.02 each, **the right one among them**:

| Token | 0 | 1 | 2 | 3 | 4 |
|---|---|---|---|---|---|
| hard label | 0 | 0 | 1 | 0 | 0 |
| soft label | 0.02 | 0.02 | 0.92 | 0.02 | 0.02 |

Code on the web divides by V, or by V − 1 (the right token takes no part in the sharing), or by V − 2 (padding doesn't either). Each can be defended; mix them and rows no longer sum to 1. Here the divisor is V, as in the paper and in Keras.

Write `label_smoothing(label_ids, num_tokens, smoothing=0.1)`:

- `label_ids`: whole numbers of any shape (...), each from 0 to V − 1; usually (B, T).
- `num_tokens`: an int, the size V of the vocabulary.
- `smoothing`: a float $s$, from 0 to below 1, the share that is given away.
- **Returns** `float32` of shape (..., V): the right token has $1 - s + s / V$, every other one $s / V$. Every row sums to 1.
- Padding gets no special treatment: the mask in the loss leaves it out.
- In training it runs inside a compiled graph, so use `ops`, not NumPy.
"""


# %% exercise="label_smoothing"
def label_smoothing(label_ids, num_tokens, smoothing=0.1):
    """Give a share of every label's probability to all tokens alike.

    Args:
        label_ids: int tensor of shape (...), the right tokens.
        num_tokens: int, the size V of the vocabulary.
        smoothing: float, from 0 to below 1, the share that all V tokens get together.

    Returns:
        float32 tensor of shape (..., V): 1 - smoothing + smoothing / V at the right token,
        smoothing / V at every other one.
    """
    ### BEGIN SOLUTION
    right = ops.one_hot(label_ids, num_tokens, dtype="float32")  # (..., V)
    return (1 - smoothing) * right + smoothing / num_tokens
    ### END SOLUTION


# %% check="label_smoothing"
check("label_smoothing", label_smoothing)

# %% [markdown] lang="zh"
r"""
**看一看。** 五个词元，正确的那个 logit 比其余四个高出 $g$。软标签下的损失随 $g$ 怎么变？先在纸上想：硬标签的曲线有没有最低点？软标签的呢，在哪里？
"""

# %% [markdown] lang="en"
r"""
**See it.** Five tokens; the logit of the right one is $g$ above the other four. How does the loss move with $g$? Think first: does the curve for hard labels have a lowest point? Does the one for soft labels, and where?
"""

# %% tags=["experiment"]
if ready("label_smoothing"):
    lead = np.linspace(0, 10, 101)
    log_p = np.asarray(ops.log_softmax(tensor(lead[:, None] * np.eye(5)[2]), axis=-1))  # (101, 5)
    words = chart_words(LANG)
    with chart(1, width=5) as (axis,):
        for i, share in enumerate((0.0, 0.1, 0.3)):
            soft = np.asarray(label_smoothing(ops.convert_to_tensor([2]), 5, share))
            curve = -(soft * log_p).sum(axis=-1)
            axis.plot(lead, curve, color=COLOURS[i], linestyle=STYLES[i], label=f"s = {share}")
            lowest = curve.argmin()
            if lowest == len(lead) - 1:  # the end of the picture, not of the fall
                say(f"s = {share}：到 g = 10 还在降", f"s = {share}: still falling at g = 10")
                continue
            axis.plot(lead[lowest], curve[lowest], MARKERS[i], color=COLOURS[i])
            say(
                f"s = {share}：损失最低 {curve[lowest]:.3f}，在 g = {lead[lowest]:.1f} 处",
                f"s = {share}: lowest loss {curve[lowest]:.3f}, at g = {lead[lowest]:.1f}",
            )
        axis.set(
            xlabel=words("领先多少 g", "lead g of the right logit"), ylabel=words("损失", "loss")
        )
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
硬标签的损失一路往 0 走，领先得再多，还嫌不够（图画到 10 为止）。软标签的曲线有最低点：s = 0.1 时在 $g = \ln(0.92 / 0.02) = 3.83$，再往上走，损失反而升高。最低点的高度是软标签自己的熵，$0.39$，不是 0；所以**用了平滑，训练损失就不能和没用的比**，要比就在留出的句子上比不平滑的交叉熵，或者直接比准确率。

## 3c.3 练习：学习率预热

论文的第二样手艺是**预热**：学习率先从几乎为 0 的地方**直线上升**，走 $w$ 步到顶，再按步数的平方根**慢慢下降**：

$$\mathrm{rate} = D^{-1/2} \cdot \min\left(\mathrm{step}^{-1/2},\ \mathrm{step} \cdot w^{-3/2}\right)$$

为什么要慢慢来？最初几步，Adam 才见过几批数据，对梯度大小的估计还很不准，可它每一步迈出去的距离几乎就是学习率那么大，不管梯度多小。在后归一化的块里，靠近输出的那几层，梯度一开始还偏大（Xiong 等 2020；3b 画过各层的梯度）。开头迈得太大，模型可能一头栽进一个出不来的地方。

手算三个点，D = 512，w = 4000（论文的数）：第 1 步，$512^{-1/2} \cdot 4000^{-3/2} = 1.75 \cdot 10^{-7}$；第 4000 步，括号里的两项相等，$6.99 \cdot 10^{-4}$，这就是顶点；第 16000 步，步数是顶点处的 4 倍，学习率是一半，$3.49 \cdot 10^{-4}$。

写 `warmup_schedule(step, hidden_dim, warmup_steps)`：

- `step`：第几步，从 1 数起：一个数（整数或浮点数），或者任意形状的张量（整数或浮点数），逐个计算。检查时也会给 2.5 这样的步数，公式照算。
- `hidden_dim`：整数 D；`warmup_steps`：整数 $w$，预热多少步。
- **返回**学习率，与 `step` 同形状的浮点数。
- 当心：整数张量不能取负的幂，要先换成浮点数；Python 的 `min` 不认张量，用 `ops.minimum`。优化器是在编译成的图里、用一个整数张量来问学习率的。
"""

# %% [markdown] lang="en"
r"""
With hard labels the loss falls towards 0 and no lead is ever large enough (the picture stops at 10). With soft ones the curve has a lowest point, for s = 0.1 at $g = \ln(0.92 / 0.02) = 3.83$; beyond it the loss rises again. Its height there is the entropy of the soft label, $0.39$, not 0; so **a training loss with smoothing can't be compared with one without**. Compare the plain cross-entropy on held-out sentences, or how much is right.

## 3c.3 Exercise: warming up

The paper's second trick is a **warm-up**: the learning rate starts next to 0, **rises in a straight line** for $w$ steps, and then **falls slowly** with the root of the step:

$$\mathrm{rate} = D^{-1/2} \cdot \min\left(\mathrm{step}^{-1/2},\ \mathrm{step} \cdot w^{-3/2}\right)$$

Why go slowly? In the first steps Adam has seen a few batches only and its estimate of how large gradients are is poor, and yet each of its steps is about as long as the learning rate, however small the gradient. In post-LN blocks, moreover, gradients close to the output are large at the start (Xiong et al. 2020; 3b draws gradients by depth). Stride out too far at the beginning and the model may fall into a hole that it never gets out of.

Three points by hand, for D = 512 and w = 4000 (those of the paper): step 1, $512^{-1/2} \cdot 4000^{-3/2} = 1.75 \cdot 10^{-7}$; step 4000, where the two terms in the brackets are equal, $6.99 \cdot 10^{-4}$, the top; step 16000, four times as many steps as at the top, half the rate, $3.49 \cdot 10^{-4}$.

Write `warmup_schedule(step, hidden_dim, warmup_steps)`:

- `step`: which step it is, counted from 1: a number (int or float), or a tensor of any shape (int or float), taken element by element. The check also tries steps such as 2.5; the formula is the same.
- `hidden_dim`: an int, D; `warmup_steps`: an int, $w$, how many steps the warm-up takes.
- **Returns** the learning rate, floats of the shape of `step`.
- Mind two things: a tensor of ints can't be raised to a negative power and has to become float first; Python's `min` doesn't take tensors, `ops.minimum` does. An optimizer asks for its rate inside a compiled graph, with a tensor of type int.
"""


# %% exercise="warmup_schedule"
def warmup_schedule(step, hidden_dim, warmup_steps):
    """Raise the learning rate in a straight line, then let it fall with the root of the step.

    Args:
        step: number or tensor of numbers, 1 for the first step.
        hidden_dim: int, the size D of the model; wider ones learn at a lower rate.
        warmup_steps: int, the step at which the rate is highest.

    Returns:
        float, or float tensor of the shape of `step`: the learning rate.
    """
    ### BEGIN SOLUTION
    step = ops.cast(step, "float32")
    return hidden_dim**-0.5 * ops.minimum(step**-0.5, step * warmup_steps**-1.5)
    ### END SOLUTION


# %% check="warmup_schedule"
check("warmup_schedule", warmup_schedule)

# %% [markdown] lang="zh"
r"""
**看一看。** 左边换预热的步数，右边换模型的宽度。先猜：预热变成一半，顶点高多少？宽度变成 4 倍呢？
"""

# %% [markdown] lang="en"
r"""
**See it.** On the left the warm-up varies, on the right the width of the model. Guess first: with half the warm-up, how much higher is the top? And at four times the width?
"""

# %% tags=["experiment"]
if ready("warmup_schedule"):
    steps = np.arange(1, 20_001, 50)
    words = chart_words(LANG)
    with chart(2) as axes:
        panels = (
            (
                "w",
                [(512, 2000), (512, 4000), (512, 8000)],
                words("预热多少步", "length of the warm-up"),
            ),
            (
                "D",
                [(256, 4000), (512, 4000), (1024, 4000)],
                words("模型的宽度", "width of the model"),
            ),
        )
        for axis, (name, sizes, title) in zip(axes, panels):
            for i, (hidden_dim, warmup) in enumerate(sizes):
                rates = np.asarray(warmup_schedule(tensor(steps), hidden_dim, warmup))
                label = f"{name} = {warmup if name == 'w' else hidden_dim}"
                axis.plot(steps, 1e4 * rates, color=COLOURS[i], linestyle=STYLES[i], label=label)
            axis.set(xlabel=words("第几步", "step"), title=title)
            axis.legend(frameon=False)
        axes[0].set_ylabel(words("学习率 × 10⁴", "learning rate × 10⁴"))

# %% [markdown] lang="zh"
r"""
顶点的高度是 $1 / \sqrt{D w}$：预热减半，顶点高到 1.41 倍；宽度变成 4 倍，顶点降到一半。所有 $D$ 相同的曲线，过了各自的顶点就重合在一起：下降的那一段与 $w$ 无关。
"""

# %% [markdown] lang="en"
r"""
The height of the top is $1 / \sqrt{D w}$: half the warm-up makes it 1.41 times as high, four times the width half as high. Curves of one $D$ run into each other once they are past their tops: the falling part doesn't know $w$.
"""

# %% [markdown] lang="zh"
r"""
## 3c.4 练习：装成 Transformer

零件给你，接线归你。这一步没有公式，错起来却最多：两张掩码接反了，解码器看的不是编码器的最后一层，漏了一块。多数接错了也能运行，甚至损失也在降，只是译文总差一口气。

在纸上走一遍 B = 2、S = 5、T = 3、D = 8、V = 11 的形状：`token_ids` (2, 5) → 嵌入 (2, 5, 8) → 每块都是 (2, 5, 8)；`target_ids` (2, 3) → (2, 3, 8) → 每块都是 (2, 3, 8)，其中交叉注意力的权重是 (2, N, 3, 5) → `score` 以后 (2, 3, 11)。三处注意力，各用哪张掩码？

| 哪里 | 查询 | 键和值 | 掩码 |
|---|---|---|---|
| 编码器的自注意力 | 源句 | 源句 | 填充掩码 (B, 1, S) |
| 解码器的自注意力 | 译文 | 译文 | 因果掩码 (1, T, T) |
| 交叉注意力 | 译文 | 源句 | 填充掩码 (B, 1, S) |

写 `transformer_logits(token_ids, padding_mask, target_ids, source_embeddings, target_embeddings, encoder_blocks, decoder_blocks, score)`：

- `token_ids`：整数 (B, S)，源句；`padding_mask`：布尔 (B, S)，真词处是 `True`；`target_ids`：整数 (B, T)，右移过的译文，从 `[BOS]` 开始。
- `source_embeddings`、`target_embeddings`：各是一个能调用的东西，整数 (B, S) 或 (B, T) 变成 (B, S, D) 或 (B, T, D)。放大和位置都在里面了，不用再加什么。
- `encoder_blocks`：列表。每一块这样调用：`block(x, attention_mask=mask)`，返回一对（新的 x，权重）。
- `decoder_blocks`：列表，块数不必和编码器相同。每一块这样调用：`block(x, source, attention_mask=mask, source_mask=source_mask)`，返回三样（新的 x，自注意力的权重，交叉注意力的权重）。
- `score`：能调用的东西，(B, T, D) 变成 (B, T, V)。
- **返回** logits，(B, T, V)：第 t 行给“第 t 个之后的那个词元”打分，没有经过 softmax。
- **掩码**都是布尔，`True` = 可以看，都有三个轴，见上表。因果掩码用已经导入的 `causal_mask(T)` 来做，它返回 (T, T)。译文后面的填充不用另外遮：它前面的词本来就看不见它，它自己的那几行由损失去掉。
- 解码器的**每一块**看的都是整个编码器的输出，也就是最后一块出来的，不是跟自己同一层的那块。
- 训练时它在编译成的图里运行，B 那时是未知数，S 和 T 是已知的：`target_ids.shape[1]` 就是 T。
"""

# %% [markdown] lang="en"
r"""
## 3c.4 Exercise: assemble the Transformer

The parts are given, the wiring is yours. There is no formula in this step and yet nowhere do more things go wrong: masks swapped, the decoder looking at the wrong encoder layer, a block left out. Most miswired machines run, many even learn; they just never get as good as they should.

Walk through the shapes on paper for B = 2, S = 5, T = 3, D = 8, V = 11: `token_ids` (2, 5) → embedded (2, 5, 8) → (2, 5, 8) after every block; `target_ids` (2, 3) → (2, 3, 8) → (2, 3, 8) after every block, with weights of cross-attention (2, N, 3, 5) → (2, 3, 11) after `score`. Attention happens in three places. Which mask belongs to which?

| Where | Queries | Keys and values | Mask |
|---|---|---|---|
| self-attention of the encoder | source | source | padding (B, 1, S) |
| self-attention of the decoder | target | target | causal (1, T, T) |
| cross-attention | target | source | padding (B, 1, S) |

Write `transformer_logits(token_ids, padding_mask, target_ids, source_embeddings, target_embeddings, encoder_blocks, decoder_blocks, score)`:

- `token_ids`: whole numbers (B, S), the source; `padding_mask`: bool (B, S), `True` at real words; `target_ids`: whole numbers (B, T), the target shifted right, which begins with `[BOS]`.
- `source_embeddings`, `target_embeddings`: two callables that turn whole numbers of shape (B, S) or (B, T) into (B, S, D) or (B, T, D). Scaling and positions are inside; nothing more has to be added.
- `encoder_blocks`: a list. Call each as `block(x, attention_mask=mask)`; it returns the pair (new x, weights).
- `decoder_blocks`: a list, not necessarily as long. Call each as `block(x, source, attention_mask=mask, source_mask=source_mask)`; it returns three things (new x, weights of self-attention, weights of cross-attention).
- `score`: a callable, (B, T, D) to (B, T, V).
- **Returns** the logits (B, T, V): row t scores the token that comes after the t-th; no softmax.
- **Masks** are boolean, `True` = may attend, all with three axes as in the table. Make the causal one with `causal_mask(T)`, which is imported and returns (T, T). Padding behind a target needs no mask of its own: words before it can't see it anyway, and the loss leaves out its own rows.
- **Every** decoder block looks at the encoder's output, what the last encoder block returned, not at the encoder block of its own height.
- In training it runs inside a compiled graph where B is unknown, while S and T are known: `target_ids.shape[1]` is T.
"""


# %% exercise="transformer_logits"
def transformer_logits(
    token_ids,
    padding_mask,
    target_ids,
    source_embeddings,
    target_embeddings,
    encoder_blocks,
    decoder_blocks,
    score,
):
    """Read a source, and score the next token after each token of a target.

    Args:
        token_ids: int tensor of shape (B, S), the source.
        padding_mask: bool tensor of shape (B, S), True at real tokens of the source.
        target_ids: int tensor of shape (B, T), the target shifted right.
        source_embeddings: callable, int (B, S) to float (B, S, D).
        target_embeddings: callable, int (B, T) to float (B, T, D).
        encoder_blocks: list of callables (x, attention_mask) to (x, weights).
        decoder_blocks: list of callables (x, source, attention_mask, source_mask) to
            (x, self_weights, cross_weights).
        score: callable, float (B, T, D) to float (B, T, V).

    Returns:
        float tensor of shape (B, T, V), the logits.
    """
    ### BEGIN SOLUTION
    source_mask = ops.expand_dims(padding_mask, axis=1)  # (B, 1, S)
    source = source_embeddings(token_ids)  # (B, S, D)
    for block in encoder_blocks:
        source, _ = block(source, attention_mask=source_mask)
    target_mask = ops.expand_dims(causal_mask(target_ids.shape[1]), axis=0)  # (1, T, T)
    x = target_embeddings(target_ids)  # (B, T, D)
    for block in decoder_blocks:
        x, _, _ = block(x, source, attention_mask=target_mask, source_mask=source_mask)
    return score(x)  # (B, T, V)
    ### END SOLUTION


# %% check="transformer_logits"
check("transformer_logits", transformer_logits)

# %% [markdown] lang="zh"
r"""
**看一看：从外面测三次。** 接线对不对，不用读代码也能查：动一处，看 logits 在哪些位置变了。拿一个没训练过的小 Transformer（两块加两块，层是课程库的，接线是你的）：换掉译文的最后一个词，只许最后一个位置变；换掉源句的第一个词，所有位置都该变；换掉源句里的填充，哪里都不许变。下面每行从左到右是译文的各个位置：x 是变了，点是没变。
"""

# %% [markdown] lang="en"
r"""
**See it: three tests from the outside.** You can find out whether the wiring is right without reading code: change one thing and watch at which positions the logits move. Take a small untrained Transformer (two blocks and two, the library's layers, your wiring): change the last word of the target, and only the last position may move; change the first word of the source, and every position should; change what stands in the source's padding, and none may. Each line below has the positions of the target from left to right: x has moved, a dot hasn't.
"""


# %% tags=["experiment"]
class Translator(Transformer):
    """The library's layers, connected and trained by what you write in this notebook."""

    def call(self, inputs, training=None):
        return transformer_logits(
            inputs["token_ids"],
            inputs["padding_mask"],
            inputs["target_ids"],
            self.source_embeddings,
            self.target_embeddings,
            self.encoder_blocks,
            self.decoder_blocks,
            self.score,
        )

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        share = self.label_smoothing if training else 0.0  # nothing is smoothed in a test
        soft = label_smoothing(y["label_ids"], self.target_vocabulary_size, share)
        per_word = -ops.sum(soft * ops.log_softmax(y_pred, axis=-1), axis=-1)  # (B, T)
        is_real = ops.cast(y["label_mask"], "float32")
        return ops.sum(per_word * is_real) / ops.sum(is_real)


def fresh(seed, hidden_dim=64):
    """A small Transformer whose weights depend on the seed."""
    keras.utils.set_random_seed(seed)
    return Translator(
        len(SOURCE_WORDS),
        len(TARGET_WORDS),
        num_encoder_layers=2,
        num_decoder_layers=2,
        num_heads=4,
        hidden_dim=hidden_dim,
        intermediate_dim=2 * hidden_dim,
        max_sequence_length=32,
        dropout=0.0,
    )


def as_tensors(inputs):
    return {name: ops.convert_to_tensor(part) for name, part in inputs.items()}


if ready("transformer_logits"):
    untrained = fresh(0)
    two, _ = arrays_of([pairs["test"][1], pairs["test"][0]])  # the first is shorter
    before = np.asarray(untrained(as_tensors(two)))[0]
    last, width = len(pairs["test"][1].target), two["token_ids"].shape[1]
    for name, part, position in (
        (text("译文最后一个词", "last word of the target "), "target_ids", last),
        (text("源句第一个词  ", "first word of the source"), "token_ids", 1),
        (text("源句的填充    ", "padding of the source   "), "token_ids", width - 1),
    ):
        changed = {key: array.copy() for key, array in two.items()}
        changed[part][0, position] = 9 if two[part][0, position] != 9 else 10
        moved = np.abs(np.asarray(untrained(as_tensors(changed)))[0] - before).max(axis=-1)
        marks = " ".join("x" if m > 1e-5 else "." for m in moved[: last + 1])
        print(f"{name}  {marks}")

# %% [markdown] lang="zh"
r"""
## 3c.5 实验：把它练起来

现在三样都是你写的：接线、软标签、学习率。模型很小（D = 64，四个头，两块加两块），训练半分钟左右，机器忙的话要一两分钟。

论文的学习率公式是给大模型定的，D 这么小，$D^{-1/2}$ 就偏大，所以前面乘一个 0.5；预热 200 步。

训练时，每一步都喂正确的上一个词（教师强制），所有位置一次算完。每一轮之后，在测试集上看两个数：**对的词**的比例，和**整句全对**的比例（整句里每一步都对，它自己说出来就也对，第 2 章讲过）。

还没学的时候，模型对 108 个词一视同仁，损失是 $\ln 108 = 4.68$。**先说预测：**（1）头两轮里学习率还在往上爬，可是第二轮的损失已经不到它的一半；（2）最后，对的词超过九成。
"""

# %% [markdown] lang="en"
r"""
## 3c.5 Experiment: train it

Three things are yours now: wiring, soft labels, learning rate. The model is small (D = 64, four heads, two blocks and two), and training takes about half a minute, or one or two on a busy machine.

The paper's formula was made for large models; with a D as small as this $D^{-1/2}$ is on the high side, so we put a factor of 0.5 in front. The warm-up is 200 steps.

In training every step is fed the correct word before (teacher forcing), all positions at once. After each epoch we look at two numbers on the test set: the share of **words right**, and the share of sentences **fully correct** (if every step of a sentence is right, the model says it right by itself, too: see chapter 2).

Before it has learnt anything, with no preference among 108 words, the loss is $\ln 108 = 4.68$. **The predictions, beforehand:** (1) in the first two epochs the learning rate is still climbing, and yet the loss of the second is below half of that; (2) in the end more than nine words in ten are right.
"""


# %% tags=["experiment"]
class Warming(keras.callbacks.Callback):
    """Sets the learning rate of every step by your schedule, times a factor."""

    def __init__(self, hidden_dim, warmup_steps, factor):
        super().__init__()
        self.hidden_dim, self.warmup_steps, self.factor = hidden_dim, warmup_steps, factor
        self.step = 0

    def on_train_batch_begin(self, batch, logs=None):
        self.step += 1
        rate = float(warmup_schedule(self.step, self.hidden_dim, self.warmup_steps))
        self.model.optimizer.learning_rate = self.factor * rate


test_inputs, test_labels = arrays_of(pairs["test"])


def shares_right(model):
    """Shares of words right and of sentences fully correct, the right words being fed."""
    guess = model.predict(test_inputs, batch_size=500, verbose=0).argmax(axis=-1)
    real = test_labels["label_mask"]
    right = (guess == test_labels["label_ids"]) & real
    return right.sum() / real.sum(), np.mean(right.sum(axis=1) == real.sum(axis=1))


if ready("label_smoothing", "warmup_schedule", "transformer_logits"):
    translator = fresh(0)
    translator.compile(optimizer=keras.optimizers.Adam(beta_2=0.98, epsilon=1e-9))
    train_inputs, train_labels = arrays_of(pairs["train"])
    warming, progress = Warming(64, 200, 0.5), []
    for epoch in range(6):
        history = translator.fit(
            train_inputs, train_labels, batch_size=64, callbacks=[warming], verbose=0
        )
        loss = history.history["loss"][0]
        progress.append((loss, *shares_right(translator)))
        _, right, whole = progress[-1]
        rate = float(translator.optimizer.learning_rate)
        say(
            f"第 {epoch + 1} 轮，学习率 {rate:.4f}：训练损失 {loss:.2f}，"
            f"对的词 {right:.3f}，整句全对 {whole:.3f}",
            f"epoch {epoch + 1}, rate {rate:.4f}: training loss {loss:.2f}, "
            f"words right {right:.3f}, fully correct {whole:.3f}",
        )
    for part, kept_promise in (
        (1, progress[1][0] < math.log(len(TARGET_WORDS)) / 2),
        (2, progress[-1][1] > 0.9),
    ):
        held = text("成立", "holds") if kept_promise else text("不成立", "does not hold")
        say(f"预测（{part}）→ {held}", f"prediction ({part}) → {held}")

# %% [markdown] lang="zh"
r"""
## 3c.6 练习：让它自己说（贪心解码）

译文不再是已知的了。办法和 1a 一样：给它 `[BOS]`，取分数最高的词，接在后面，再问下一个。只有一处不同。GRU 的状态里装着说过的一切，每一步只喂最后一个词；Transformer 没有状态，**每一步都要把说过的从头解码一遍**，而只有最后一个位置的 logits 用得上：

```text
step 1   [BOS]                    → decode → (B, 1, V), take position -1 → "fila"
step 2   [BOS] fila               → decode → (B, 2, V), take position -1 → "juna"
step 3   [BOS] fila juna          → decode → (B, 3, V), take position -1 → "una"
```

浪费吗？浪费，3c.9 再来省。源句倒只要读一遍：它不会变。

写 `greedy_decode_transformer(model, token_ids, padding_mask, begin_id, end_id, max_length)`：

- `model`：有两个方法。`model.encode(token_ids, padding_mask)` 返回源句 (B, S, D)；`model.decode(target_ids, source, padding_mask)` 返回 logits (B, T, V)，其中 `target_ids` 是整数 (B, T)，从 `begin_id` 起到目前为止说过的一切。
- `token_ids`：整数 (B, S)；`padding_mask`：布尔 (B, S)，真词处是 `True`。
- `begin_id`：整数，最先给每一行的词元；`end_id`：整数，哪一行说出它，哪一行就结束了；`max_length`：整数，至少是 1，最多说这么多个。
- 源句只读**一次**；每一步把说过的全部重新解码一遍，取**最后一个位置**上分数最高的词元。
- **返回**整数张量（NumPy 数组也行）(B, L)：**不含** `begin_id`，**含** `end_id`。先结束的行，后面一直填 `end_id`；最后一行也结束了，就到此为止。L 是说得最长的那行用掉的个数，至多 `max_length`。
- 这个循环不用编译成图：可以用 Python 的 `while` 和 `for`。
"""

# %% [markdown] lang="en"
r"""
## 3c.6 Exercise: let it speak (greedy decoding)

The target isn't known any more. As in 1a: give it `[BOS]`, take the word with the highest score, put it at the end, ask for the next. One thing is different. A GRU's state holds all that was said, so each step is fed the last word only; a Transformer has no state: **at each step all that was said is decoded from the start**, and of the logits only those of the last position are of use:

```text
step 1   [BOS]                    → decode → (B, 1, V), take position -1 → "fila"
step 2   [BOS] fila               → decode → (B, 2, V), take position -1 → "juna"
step 3   [BOS] fila juna          → decode → (B, 3, V), take position -1 → "una"
```

Wasteful? It is, and 3c.9 gets rid of the waste. The source needs reading only once: it never changes.

Write `greedy_decode_transformer(model, token_ids, padding_mask, begin_id, end_id, max_length)`:

- `model`: has two methods. `model.encode(token_ids, padding_mask)` returns the source (B, S, D); `model.decode(target_ids, source, padding_mask)` returns logits (B, T, V), where `target_ids`, whole numbers (B, T), is everything said so far from `begin_id` on.
- `token_ids`: whole numbers (B, S); `padding_mask`: bool (B, S), `True` at real words.
- `begin_id`: an int, what every row is given first; `end_id`: an int, a row that says it has ended; `max_length`: an int, at least 1, no more tokens than that are said.
- The source is read **once**; at every step all that was said is decoded again, and the token with the highest score at the **last position** is said.
- **Returns** a tensor (or NumPy array) of whole numbers (B, L): **without** `begin_id` and **with** `end_id`. A row that has ended is filled with `end_id` from then on, and once the last row has ended, that is all. L is how many the longest row needed, `max_length` at most.
- Nothing here is compiled into a graph: Python's `while` and `for` will do.
"""


# %% exercise="greedy_decode_transformer"
def greedy_decode_transformer(model, token_ids, padding_mask, begin_id, end_id, max_length):
    """Say the likeliest next token again and again, until every row has ended.

    Args:
        model: has `encode(token_ids, padding_mask)`, which returns the source (B, S, D), and
            `decode(target_ids, source, padding_mask)`, which returns logits (B, T, V).
        token_ids: int tensor of shape (B, S), the source.
        padding_mask: bool tensor of shape (B, S), True at real tokens.
        begin_id: int, what every row is given first.
        end_id: int, the token after which a row has ended.
        max_length: int, at least 1; more tokens than this are never said.

    Returns:
        int tensor of shape (B, L): the tokens that were said, without `begin_id`, ended rows
        filled up with `end_id`.
    """
    ### BEGIN SOLUTION
    source = model.encode(token_ids, padding_mask)  # (B, S, D)
    batch_size = token_ids.shape[0]
    said = ops.full((batch_size, 1), begin_id, dtype="int32")  # (B, T)
    has_ended = ops.zeros((batch_size,), dtype="bool")  # (B,)
    while said.shape[1] <= max_length and not ops.all(has_ended):
        logits = model.decode(said, source, padding_mask)[:, -1]  # (B, V)
        likeliest = ops.cast(ops.argmax(logits, axis=-1), "int32")  # (B,)
        now = ops.where(has_ended, end_id, likeliest)  # (B,)
        has_ended = ops.logical_or(has_ended, ops.equal(now, end_id))
        said = ops.concatenate([said, now[:, None]], axis=1)  # (B, T + 1)
    return said[:, 1:]  # (B, L)
    ### END SOLUTION


# %% check="greedy_decode_transformer"
check("greedy_decode_transformer", greedy_decode_transformer)

# %% [markdown] lang="zh"
r"""
**用一用。** 让 3c.5 练好的模型自己说完整个测试集。课程库的 `Transformer` 也有 `encode` 和 `decode`，接线和你的一样，只是分成两半，还把每一层的权重一起交出来；`Speaker` 把权重去掉，剩下的正好是这道题要的接口。

下面先列三句（不挑，测试集的头三句）。再数一数整句全对的比例，跟 3c.5 里喂正确答案时的比一比：该是同一个数。
"""

# %% [markdown] lang="en"
r"""
**Use it.** Let the model trained in 3c.5 say the whole test set by itself. The library's `Transformer` has `encode` and `decode`, too: your wiring in two halves, which hand out the weights of every layer as well; `Speaker` drops the weights, which leaves exactly the interface of this exercise.

First three sentences (not picked: the first of the test set). Then count how many are fully correct and compare with 3c.5, where the correct words were fed: it ought to be the same number.
"""


# %% tags=["experiment"]
class Speaker:
    """A Transformer without its weights of attention: encode and decode, one tensor each."""

    def __init__(self, model):
        self.model = model

    def encode(self, token_ids, padding_mask):
        return self.model.encode(token_ids, padding_mask)[0]

    def decode(self, target_ids, source, padding_mask):
        return self.model.decode(target_ids, source, padding_mask)[0]


def trained():
    """Whether 3c.5 has trained a model."""
    return "translator" in globals()


def words_said(ids):
    return [" ".join(row) for row in decode_batch(np.asarray(ids), TARGET_WORDS)]


test_right = [" ".join(pair.target) for pair in pairs["test"]]
test_tensors = as_tensors(test_inputs)
if ready("greedy_decode_transformer") and trained():
    greedy_said = words_said(
        greedy_decode_transformer(
            Speaker(translator),
            test_tensors["token_ids"],
            test_tensors["padding_mask"],
            BEGIN,
            END,
            max_length=16,
        )
    )
    for pair, said in list(zip(pairs["test"], greedy_said))[:3]:
        print(" ".join(pair.source), "→", said, "" if said == " ".join(pair.target) else "  !!")
    exact = np.mean([said == right for said, right in zip(greedy_said, test_right)])
    say(
        f"自己说：整句全对 {exact:.3f}；喂正确答案时 {progress[-1][2]:.3f}",
        f"by itself: fully correct {exact:.3f}; fed the right words: {progress[-1][2]:.3f}",
    )

# %% [markdown] lang="zh"
r"""
## 3c.7 每一个头在看什么？

这个模型小，所有的头都画得下：编码器 8 个，解码器的自注意力 8 个，交叉注意力 8 个。“2-3”是第 2 块第 3 个头。下面用测试集里第一个源句有 8 个词的句子（没有挑过）。

怎么读：行是查询，列是键。编码器里，行和列都是源句。解码器的自注意力里，行和列都是喂进去的译文（从 `[BOS]` 开始），右上角打叉的地方不许看。交叉注意力里，行是**这一步要说出的词**，列是源句。
"""

# %% [markdown] lang="en"
r"""
## 3c.7 What does every head look at?

The model is small enough to draw all of its heads: 8 in the encoder, 8 in the decoder's self-attention, 8 in cross-attention. "2-3" is head 3 of block 2. The sentence is the first of the test set with 8 words (not picked).

How to read it: rows are queries, columns are keys. In the encoder both are the source. In the decoder's self-attention both are the target that is fed, from `[BOS]` on, and what is crossed out in the upper right may not be seen. In cross-attention rows are **the words to be said in that step**, columns are the source.
"""

# %% tags=["experiment"]
if trained():
    shown = next(pair for pair in pairs["test"] if len(pair.source) == 8)
    one, _ = arrays_of([shown])
    one = as_tensors(one)
    source, encoder_weights = translator.encode(one["token_ids"], one["padding_mask"])
    _, self_weights, cross_weights = translator.decode(
        one["target_ids"], source, one["padding_mask"]
    )
    read = ["[BOS]", *shown.source, "[EOS]"]
    fed, to_say = ["[BOS]", *shown.target], [*shown.target, "[EOS]"]
    names = [f"{block}-{head}" for block in (1, 2) for head in (1, 2, 3, 4)]

    def all_heads(weights):
        return np.concatenate([np.asarray(block)[0] for block in weights])  # (L * N, T, S)

    say("编码器", "encoder")
    display(attention_map(read, all_heads(encoder_weights), titles=names, columns=2))
    say("解码器的自注意力", "self-attention of the decoder")
    lower = np.tri(len(fed), dtype=bool)
    closed = text("不许看", "may not look")
    looks_back = all_heads(self_weights)
    display(attention_map(fed, looks_back, titles=names, columns=2, mask=lower, crossed=closed))
    say("交叉注意力", "cross-attention")
    display(attention_map(to_say, all_heads(cross_weights), read, titles=names, columns=2))

# %% [markdown] lang="zh"
r"""
一句话是线索，不是证据。造句的时候记下了每个译文词由哪些源词决定，所以可以在 200 句上数一数：每个交叉注意力头**看得最多的位置**，有多少次正是决定这个词的位置？形容词和冠词有两个决定者，分开数：它**自己**的那个词（决定词干），和它的**名词**（决定词尾）。

**先说预测：** 至少有一个头，在一半以上的词上看得最多的正是决定者。
"""

# %% [markdown] lang="en"
r"""
One sentence is a lead, no evidence. Which source words decide each target word was recorded when the sentences were made, so we can count over 200 of them: for each head of cross-attention, how often is **the position it looks at most** one that decides the word? Adjectives and articles have two that decide, counted apart: their **own** word (it decides the stem) and their **noun** (it decides the ending).

**The prediction, beforehand:** at least one head looks most at a deciding position for more than half of the words.
"""

# %% tags=["experiment"]
if trained():
    some = pairs["test"][:200]
    some_inputs, some_labels = arrays_of(some)
    some_tensors = as_tensors(some_inputs)
    source, _ = translator.encode(some_tensors["token_ids"], some_tensors["padding_mask"])
    _, _, looks = translator.decode(
        some_tensors["target_ids"], source, some_tensors["padding_mask"]
    )
    top = np.concatenate([np.asarray(block) for block in looks], axis=1).argmax(axis=-1) - 1
    say(
        "头    看得最多的是决定者   其中形容词、冠词：自己的词   名词",
        "head   looks most at what decides   of adjectives and articles: own word   noun",
    )
    widths = text((18, 29, 7), (27, 39, 7))  # of the columns
    best_share = 0.0
    for head, name in enumerate(names):
        hits, own, noun = [], [], []
        for row, pair in enumerate(some):
            for t, positions in enumerate(pair.alignment):
                hits.append(top[row, head, t] in positions)
                if len(positions) == 2:
                    own.append(top[row, head, t] == positions[0])
                    noun.append(top[row, head, t] == positions[1])
        best_share = max(best_share, np.mean(hits))
        shares = (np.mean(part) for part in (hits, own, noun))
        print(f"{name}   " + "".join(f"{x:{width}.2f}" for x, width in zip(shares, widths)))
    held = text("成立", "holds") if best_share > 0.5 else text("不成立", "does not hold")
    say(
        f"最高的一个 {best_share:.2f} → 预测{held}",
        f"the highest: {best_share:.2f} → the prediction {held}",
    )

# %% [markdown] lang="zh"
r"""
“名词”那一列很低：说形容词、冠词时，几乎没有哪个头去看它的名词。那词尾是从哪里知道的？

**关上门看看。** 说形容词的那几步，在交叉注意力的所有头里关掉一个源词，别处照旧；形容词的词干和词尾分开算对错。关掉它自己的词，词干应该就无处可查了。关掉它的名词呢？词尾要不要紧？先想好再运行：性和数还能从哪里传过来？
"""

# %% [markdown] lang="en"
r"""
The "noun" column is low: hardly any head looks at the noun while an adjective or an article is said. Where then does the ending come from?

**Close a door.** In the steps that say an adjective, close one source word in all heads of cross-attention and leave everything else as it is; then judge stem and ending of the adjective apart. With its own word closed, there should be nowhere to look the stem up. And with its noun closed: does the ending suffer? Decide before you run it: from where else could gender and number come?
"""

# %% tags=["experiment"]
if trained():
    spoken = {i: word for word, i in TARGET_WORDS.items()}
    adjectives = [
        (row, t, positions)
        for row, pair in enumerate(some)
        for t, positions in enumerate(pair.alignment)
        if len(positions) == 2 and pair.source[positions[0]] not in ("a", "the")
    ]

    def stem_and_ending(word):
        cut = 2 if word.endswith("n") else 1  # plurals end in n
        return word[:-cut], word[-cut:]

    def adjectives_right(closed):
        """Shares of stems and endings right; closed(positions) is the source position to close."""
        mask = np.repeat(some_inputs["padding_mask"][:, None], top.shape[2], axis=1)  # (B, T, S)
        for row, t, positions in adjectives:
            if (position := closed(positions)) is not None:
                mask[row, t, position + 1] = False  # the source begins with [BOS]
        x = translator.target_embeddings(some_tensors["target_ids"])
        past = causal_mask(top.shape[2])[None]
        for block in translator.decoder_blocks:
            open_places = ops.convert_to_tensor(mask)
            x, _, _ = block(x, source, attention_mask=past, source_mask=open_places)
        guess = np.asarray(translator.score(x)).argmax(axis=-1)
        found = [
            (stem_and_ending(spoken[guess[row, t]]), stem_and_ending(some[row].target[t]))
            for row, t, _ in adjectives
        ]
        return [np.mean([said[part] == right[part] for said, right in found]) for part in (0, 1)]

    for name, closed in (
        (text("什么也不关  ", "nothing closed"), lambda positions: None),
        (text("关掉自己的词", "its own word  "), lambda positions: positions[0]),
        (text("关掉名词    ", "its noun      "), lambda positions: positions[1]),
    ):
        stems, endings = adjectives_right(closed)
        say(
            f"{name}  词干对 {stems:.2f}  词尾对 {endings:.2f}",
            f"{name}  stems right {stems:.2f}  endings right {endings:.2f}",
        )

# %% [markdown] lang="zh"
r"""
词尾可能还有两条路可走：名词在译文里先说出来了，解码器的自注意力看得到它；编码器里，形容词也可以看自己的名词。这里关掉的只是第三条；另外两条有没有用，也要关上了才知道。所以关掉一条路、结果没变，说明不了这条路平时没有用；变了，才说明少不了它。3a 说过的话这里又用得上：图是线索，关上门看才是证据。
"""

# %% [markdown] lang="en"
r"""
The ending may come along two other ways: its noun has been said already, where the decoder's self-attention can see it, and in the encoder the adjective can look at its noun. The door that you closed blocks a third way only; whether the other two are used you would find out by closing them as well. So if nothing changes when one way is closed, that doesn't show it is never used; if something does, it is needed. As 3a said: a picture is a lead, a closed door is evidence.
"""

# %% [markdown] lang="zh"
r"""
## 3c.8 束搜索：别急着认准一个

贪心每一步都挑眼前最好的，挑完不能反悔。看一门只有几个词的语言，下一个词的概率是这样的：

| 已经说了 | 下一个词的概率 |
|---|---|
| （开头） | the 0.6，a 0.4 |
| the | big 0.35，large 0.33，huge 0.32 |
| a | large 0.9，big 0.1 |
| 两个词以后 | 一定结束 |

贪心先说 the（0.6），再说 big（0.35），整句的概率是 0.21。可是“a large”有 $0.4 \times 0.9 = 0.36$！the 后面有三个差不多的说法，把概率分薄了；第一步却看不出来。

**束搜索**（beam search）同时留着最好的 K 个开头，叫**假设**（hypothesis）。拿 K = 2 走一遍：第一步，the 0.6 和 a 0.4 都留下；第二步，它们接上各自的下一个词，一共五个候选，最高的两个是 a large 0.36 和 the big 0.21，留下；第三步都结束了。找到了 0.36。

**长短不一，怎么比？** 概率是一个一个乘起来的，每个都小于 1，话越长就越小，光比概率，总是短句占便宜。于是用一个随长度增大的数去除 $\log P$，叫**长度惩罚**（length penalty；Wu 等 2016）：

$$\mathrm{score}(Y) = \frac{\log P(Y)}{\left((5 + n) / 6\right)^{\alpha}}$$

$n$ 是 $Y$ 的词元数，`end_id` 也算。手算一次，$\alpha = 0.6$：短的说了 3 个，$\log P = -3.0$，除以 $(8/6)^{0.6} = 1.19$，得 $-2.52$；长的说了 7 个，$\log P = -3.6$，除以 $(12/6)^{0.6} = 1.52$，得 $-2.38$。单看 $\log P$ 短的胜，除过以后长的胜。当心：分数是负的，除得越多，越靠近 0，也就**越高**；每个假设除的是**它自己**的长度，先说完的，长度就停在那里。$\alpha = 0$ 什么也不除。

### 练习：束搜索

写 `beam_search(next_log_probs, begin_id, end_id, max_length, beam_width=4, length_penalty=0.6)`。只管**一句**话，用普通的 Python 和 NumPy 就行，循环已经搭好，要填三处：

- `next_log_probs`：函数，`next_log_probs(prefix)` 里的 `prefix` 是整数的列表，从 `begin_id` 起说过的一切；返回浮点数组 (V,)，下一个词元的对数概率（自然对数）。
- `begin_id`、`end_id`：整数；`max_length`：整数，至少是 1，最多说这么多个词元。
- `beam_width`：整数 K，至少是 1，留几个假设；`length_penalty`：浮点数 $\alpha$，至少是 0。
- 一个假设的**得分**是 $\log P / ((5 + n) / 6)^\alpha$：$\log P$ 是它各个词元的对数概率之和，$n$ 是**它自己**说了几个词元，`end_id` 算一个，`begin_id` 不算。
- **每一步**：没结束的假设，接上词表里的每一个词元，各成一个候选（对数概率是负无穷的词元说不得，不要）；已经结束的假设不再接，原样当候选，得分不变。所有候选放在一起，留下得分最高的 K 个。
- 得分相同的，先来后到：候选按假设的次序排，同一个假设接出来的按词元编号排。（Python 的 `sorted` 不会打乱得分相同的，加上 `reverse=True` 也不会。）
- **停**：留下的全都结束了，或者已经说了 `max_length` 个词元。到那时还没结束的，也照样返回。
- **返回**列表，最多 K 项，得分高的在前；每一项是一对（词元编号的列表，得分），列表里没有 `begin_id`。
"""

# %% [markdown] lang="en"
r"""
## 3c.8 Beam search: don't commit too early

Greedy decoding takes what looks best right now and can't take it back. Consider a language of a few words, with these probabilities of the next one:

| Said so far | Probabilities of the next word |
|---|---|
| (beginning) | the 0.6, a 0.4 |
| the | big 0.35, large 0.33, huge 0.32 |
| a | large 0.9, big 0.1 |
| after two words | it ends for sure |

Greedy says the (0.6), then big (0.35): 0.21 for the sentence. But "a large" has $0.4 \times 0.9 = 0.36$! Three ways of going on after the share its probability between them, and the first step can't see that.

**Beam search** keeps the best K beginnings at the same time, called **hypotheses**. Walk through it with K = 2: step one keeps both, the 0.6 and a 0.4; in step two each is continued, which makes five candidates, and the best two, a large 0.36 and the big 0.21, are kept; in step three both end. It finds the 0.36.

**How to compare sentences of different lengths?** Probabilities are multiplied, each is below 1, so a long sentence has a small one; by probability alone short sentences always have the advantage. So $\log P$ is divided by a number that grows with the length, the **length penalty** (Wu et al. 2016):

$$\mathrm{score}(Y) = \frac{\log P(Y)}{\left((5 + n) / 6\right)^{\alpha}}$$

$n$ is the number of tokens of $Y$, `end_id` included. Once by hand, $\alpha = 0.6$: a short one of 3 tokens with $\log P = -3.0$ is divided by $(8/6)^{0.6} = 1.19$, which makes $-2.52$; a long one of 7 tokens with $\log P = -3.6$ by $(12/6)^{0.6} = 1.52$, which makes $-2.38$. By $\log P$ the short one wins, after the division the long one. Mind that scores are negative: dividing by more brings them closer to 0, that is, **higher**; and each hypothesis is divided by **its own** length, which stands still once it has ended. With $\alpha = 0$ nothing is divided.

### Exercise: beam search

Write `beam_search(next_log_probs, begin_id, end_id, max_length, beam_width=4, length_penalty=0.6)`. It is for **one** sentence, plain Python and NumPy will do, the loop is given, and three places are empty:

- `next_log_probs`: a function; `next_log_probs(prefix)`, where `prefix` is a list of ints, all that was said from `begin_id` on, returns a float array (V,), the log-probabilities of the next token (natural logarithm).
- `begin_id`, `end_id`: ints; `max_length`: an int, at least 1; no more tokens than that are said.
- `beam_width`: an int K, at least 1, how many hypotheses are kept; `length_penalty`: a float $\alpha$, at least 0.
- The **score** of a hypothesis is $\log P / ((5 + n) / 6)^\alpha$: $\log P$ is the sum of the log-probabilities of its tokens, and $n$ is how many tokens **it** has said, `end_id` included, `begin_id` not.
- **At every step** each hypothesis that hasn't ended is continued by every token of the vocabulary, and each continuation is a candidate (a token with a log-probability of minus infinity can't be said and makes none); one that has ended isn't continued: it is a candidate as it stands, with the score it has. Of all candidates together the K with the highest scores are kept.
- Equal scores: first come, first served. Candidates stand in the order of the hypotheses, continuations of one in the order of the token ids. (Python's `sorted` leaves equal ones in their order, with `reverse=True` as well.)
- **Stop** when all that were kept have ended, or `max_length` tokens have been said. What hasn't ended by then is returned all the same.
- **Returns** a list of K at most, best score first; each entry is the pair (list of token ids, score), without `begin_id` in the list.
"""


# %% exercise="beam_search"
def beam_search(next_log_probs, begin_id, end_id, max_length, beam_width=4, length_penalty=0.6):
    """Follow the best few beginnings of a sentence at once, not only the best one.

    Args:
        next_log_probs: callable; given a list of token ids, `begin_id` first, it returns the
            log-probabilities of the next token, a float array of shape (V,).
        begin_id: int, the token that a sentence is begun with.
        end_id: int, the token after which a hypothesis has ended.
        max_length: int, at least 1; more tokens than this are never said.
        beam_width: int, at least 1, the number K of hypotheses that are kept.
        length_penalty: float, at least 0, the exponent.

    Returns:
        list of at most K pairs (tokens, score), best first: a list of token ids without
        `begin_id`, and log P / ((5 + n) / 6) ** length_penalty, n being the number of tokens.
    """

    def score(tokens, total):
        """The score of a hypothesis, from its tokens and the sum of their log-probabilities."""
        # First hole.
        ### BEGIN SOLUTION
        return total / ((5 + len(tokens)) / 6) ** length_penalty
        ### END SOLUTION

    kept = [([], 0.0)]  # hypotheses: what was said, and its log P
    for _ in range(max_length):
        candidates = []  # pairs like those in `kept`
        for tokens, total in kept:
            # Second hole: append what becomes of this hypothesis.
            ### BEGIN SOLUTION
            if tokens and tokens[-1] == end_id:
                candidates.append((tokens, total))
                continue
            for token, gain in enumerate(next_log_probs([begin_id, *tokens])):
                if gain > -math.inf:
                    candidates.append(([*tokens, token], total + float(gain)))
            ### END SOLUTION
        # Third hole: keep the best candidates, and stop if all of them have ended.
        ### BEGIN SOLUTION
        kept = sorted(candidates, key=lambda pair: score(*pair), reverse=True)[:beam_width]
        if all(tokens[-1] == end_id for tokens, _ in kept):
            break
        ### END SOLUTION
    return [(tokens, score(tokens, total)) for tokens, total in kept]


# %% check="beam_search"
check("beam_search", beam_search)

# %% [markdown] lang="zh"
r"""
**看一看。** 上面那门小语言，宽度 1 和宽度 2 各走一遍，画成树。粗的线是留下来的，细的灰线是看过又丢掉的；数字是从头到那里的概率，方框是已经结束的句子。
"""

# %% [markdown] lang="en"
r"""
**See it.** The little language above, once with a width of 1 and once with 2, drawn as trees. Thick lines were kept, thin grey ones were looked at and dropped; numbers are probabilities from the beginning to there, and boxes are sentences that have ended.
"""

# %%
LITTLE = ["[BOS]", "[EOS]", "the", "a", "big", "large", "huge"]
LITTLE_NEXT = {
    (): {"the": 0.6, "a": 0.4},
    ("the",): {"big": 0.35, "large": 0.33, "huge": 0.32},
    ("a",): {"large": 0.9, "big": 0.1},
}


def little_language(prefix):
    """Log-probabilities of the next word; sentences of two words end for sure."""
    chances = LITTLE_NEXT.get(tuple(LITTLE[i] for i in prefix[1:]), {"[EOS]": 1.0})
    with np.errstate(divide="ignore"):
        return np.log([chances.get(word, 0.0) for word in LITTLE])


# %% tags=["experiment"]
if ready("beam_search"):
    for beam_width in (1, 2):
        asked = []

        def asking(prefix):
            asked.append(list(prefix))
            return little_language(prefix)

        found = beam_search(asking, 0, 1, 5, beam_width=beam_width, length_penalty=0.0)
        summary = text(
            f"宽度 {beam_width}："
            + "；".join(
                f"{' '.join(LITTLE[i] for i in said[:-1])}，概率 {math.exp(score):.2f}"
                for said, score in found
            ),
            f"width {beam_width}: "
            + "; ".join(
                f"{' '.join(LITTLE[i] for i in said[:-1])}, probability {math.exp(score):.2f}"
                for said, score in found
            ),
        )
        print(summary)
        display(search_tree(little_language, asked, found, LITTLE, summary))

# %% [markdown] lang="zh"
r"""
**用一用。** 拿练好的模型试一试。`next_log_probs` 每次把一句话的开头解码一遍；源句先读好。下面挑的是测试集里**贪心说错了**的句子（至多三句；模型练得太好的话，也许一句也没有），看束搜索怎么说（$\alpha = 0$，排名看的就是 $\log P$ 本身），三种说法各有多大的 $\log P$，再和课程库里成批的 `beam_search` 对一对：两边应当一样。

先想一想：一句话说错了，有两种可能。**搜索的错**：模型其实更看好正确的那句，只是没找到。**模型的错**：模型本来就更看好错的那句。束搜索治得了哪一种？
"""

# %% [markdown] lang="en"
r"""
**Use it.** Try it on the trained model. `next_log_probs` decodes the beginning of one sentence each time; the source is read beforehand. Picked here are sentences of the test set that **greedy decoding got wrong** (three at most; if the model has learnt too well there may be none); see what beam search says (with $\alpha = 0$, so that $\log P$ itself is what counts), what $\log P$ each of the three versions has, and compare with the library's `beam_search`, which does whole batches: both should agree.

Think first: a wrong sentence can come about in two ways. **An error of the search**: the model likes the right sentence better, and it wasn't found. **An error of the model**: the model likes the wrong one better. Which of them can beam search cure?
"""


# %% tags=["experiment"]
def sentence_model(row):
    """Two functions for one sentence of the test set: next_log_probs, and log P of a whole one."""
    ids, mask = (test_tensors[name][row : row + 1] for name in ("token_ids", "padding_mask"))
    speaker = Speaker(translator)
    source = speaker.encode(ids, mask)

    def every_next(prefix):
        logits = speaker.decode(ops.convert_to_tensor([prefix]), source, mask)
        return np.asarray(ops.log_softmax(logits[0]))  # (T, V)

    def log_p(said):
        ids = [TARGET_WORDS[word] for word in said.split()] + [END]
        return every_next([BEGIN, *ids[:-1]])[np.arange(len(ids)), ids].sum()

    return lambda prefix: every_next(prefix)[-1], log_p


def library_says(rows, **options):
    """What the library's batched search says for some rows of the test set, as ids."""
    parts = (test_inputs[name][rows] for name in ("token_ids", "padding_mask"))
    options = {"begin_id": BEGIN, "end_id": END, "max_length": 16, **options}
    return np.asarray(translator.generate(*parts, **options))


if ready("greedy_decode_transformer", "beam_search") and trained():
    wrong = [row for row, said in enumerate(greedy_said) if said != test_right[row]][:3]
    options = {"beam_width": 4, "length_penalty": 0.0}
    library_said = words_said(library_says(wrong, **options)) if wrong else []
    for row, theirs in zip(wrong, library_said):
        next_log_probs, log_p = sentence_model(row)
        (best, _), *_ = beam_search(next_log_probs, BEGIN, END, 16, **options)
        found = words_said([best])[0]
        print(text("源句  ", "source"), " ".join(pairs["test"][row].source))
        for name, said in (
            (text("正确  ", "right "), test_right[row]),
            (text("贪心  ", "greedy"), greedy_said[row]),
            (text("束宽 4", "beam 4"), found),
        ):
            print(f"{name} {said}   log P {log_p(said):.2f}")
        same = found == theirs
        say(
            f"课程库的束搜索{'说得一样' if same else '说得不一样'}\n",
            f"the library's beam search says {'the same' if same else 'something else'}\n",
        )

# %% [markdown] lang="zh"
r"""
$\log P$ 怎么这么低？十个词的句子，就算处处说对，也常在 −1 上下：软标签只要正确的词占 0.9 左右，而 $0.9^{10} \approx 0.35$，取对数约是 −1。

句子再多一些，用课程库成批的来（做的是同一件事）。整个测试集，宽度 1、4、8，还是 $\alpha = 0$。**先说预测：**（1）从贪心到宽度 8，平均的 $\log P$ 升高；（2）整句全对的比例也升高，但不超过 0.02，因为这个小语言没有几处是真正两可的。
"""

# %% [markdown] lang="en"
r"""
Why is $\log P$ so low? A sentence of ten words has about −1 even if every word is right: soft labels want the right word to have about 0.9, no more, and $0.9^{10} \approx 0.35$, whose logarithm is about −1.

For more sentences take the library's batched search, which does the same. The whole test set, with widths of 1, 4 and 8, and $\alpha = 0$ again. **The prediction, beforehand:** (1) from greedy to a width of 8 the mean of $\log P$ rises; (2) so does the share of fully correct sentences, by no more than 0.02, since few places in this language are truly ambiguous.
"""

# %% tags=["experiment"]
if trained():
    label_ids = test_labels["label_ids"]

    def log_p_of(ids):
        """log P of every row: what was said is fed, shifted right."""
        fed = np.concatenate([np.full((len(ids), 1), BEGIN), ids[:, :-1]], axis=1)
        logits = translator({**test_tensors, "target_ids": ops.convert_to_tensor(fed)})
        steps = np.asarray(ops.log_softmax(logits))
        steps = np.take_along_axis(steps, ids[..., None].astype(int), axis=-1)[..., 0]  # (B, T)
        counts = np.cumsum(ids == END, axis=1) - (ids == END) == 0  # up to the first [EOS]
        return (steps * counts).sum(axis=1)

    by_width = {}
    for beam_width in (1, 4, 8):
        ids = library_says(slice(None), beam_width=beam_width, length_penalty=0.0)
        is_right = np.array([said == right for said, right in zip(words_said(ids), test_right)])
        log_ps = log_p_of(ids)
        by_width[beam_width] = log_ps.mean(), is_right.mean()
        say(
            f"宽度 {beam_width}：log P 平均 {by_width[beam_width][0]:.4f}，"
            f"整句全对 {by_width[beam_width][1]:.4f}",
            f"width {beam_width}: mean log P {by_width[beam_width][0]:.4f}, "
            f"fully correct {by_width[beam_width][1]:.4f}",
        )
        if beam_width > 1:
            continue
        if "greedy_said" in globals():
            same = sum(said == greedy for said, greedy in zip(words_said(ids), greedy_said))
            say(
                f"        {len(ids)} 句里，有 {same} 句和你的贪心解码说得一样",
                f"         {same} of {len(ids)} sentences are what your greedy decoding said",
            )
        missed = (log_p_of(label_ids) > log_ps)[~is_right]  # the right one had more log P
        say(
            f"        说错的 {len(missed)} 句里，模型更看好正确答案的有 {missed.sum()} 句",
            f"         of {len(missed)} wrong sentences, the model likes the right one better "
            f"in {missed.sum()}",
        )
    gains = [after - before for before, after in zip(by_width[1], by_width[8])]
    for part, kept_promise in ((1, gains[0] > 0), (2, 0 < gains[1] <= 0.02)):
        held = text("成立", "holds") if kept_promise else text("不成立", "does not hold")
        say(f"预测（{part}）→ {held}", f"prediction ({part}) → {held}")

# %% [markdown] lang="zh"
r"""
搜索的错，束搜索治得了；模型的错，搜得再仔细也没用，只会更用心地找到那句错的。上面说错的句子属于哪一种，看正确的那句 $\log P$ 是高是低就知道；宽度 1 下面最后一行，把测试集里说错的都这样数了一遍。要是那个数是 0 或接近 0，预测（2）不成立就不奇怪：束再宽，也没有什么可救的。小模型、小语言，分布很尖，贪心已经难得走错路；真的翻译里两可的地方多得多，束搜索值多少，看 3c.10 存好的结果。
"""

# %% [markdown] lang="en"
r"""
Errors of the search are what beam search cures; for errors of the model no search is careful enough, it only finds the wrong sentence more diligently. Which kind the wrong sentences above are you can tell from whether $\log P$ of the right one is higher or lower; the last line under width 1 counts this for all wrong ones of the test set. If its count is 0 or close to it and prediction (2) fails, that is why: there is nothing for a wider beam to cure. A small model of a small language is so sure of itself that greedy decoding rarely takes a wrong turn; real translation is ambiguous in far more places, and what beam search is worth there is in the stored results of 3c.10.
"""

# %% [markdown] lang="zh"
r"""
## 3c.9 加分练习：说过的别再算一遍（键值缓存）

说第 t 个词，要把前面的重新解码一遍：一句 T 个词，一共解码了 $1 + 2 + \dots + T = T(T + 1) / 2$ 个词，可是新的只有 T 个。前面的真要重算吗？有因果掩码，第 3 个词看不见第 4 个，第 4 个来不来，它在每一块里的向量都**一个数也不变**。新来的词要用到旧词的，只有它们的键和值（旧词的查询以后用不到了）。把键和值存起来，每一步只让**一个**新词穿过所有的块，这就是**键值缓存**（KV cache）。

形状：缓存是 (B, N, t, H)，新词的键和值是 (B, N, 1, H)，沿着**词元**那一轴接上，成为 (B, N, t + 1, H)；新词的查询 (B, N, 1, H) 去看它们全部，权重 (B, N, 1, t + 1)。掩码呢？不需要：存着的都在它前面，它谁都可以看，也包括它自己。

写 `kv_cache_step(attention, x, keys, values)`：

- `attention`：一层多头注意力，里面有四个全连接层 `query_dense`、`key_dense`、`value_dense`、`output_dense`，和整数 `num_heads`（N）。
- `x`：浮点 (B, 1, D)，新词元。
- `keys`、`values`：浮点 (B, N, t, H)，前面 t 个词元分过头的键和值；t 可以是 0。
- **返回**三样：输出 (B, 1, D)，新的 `keys` 和新的 `values`，形状都是 (B, N, t + 1, H)，新词元在最后。
- 结果应当和“把 t + 1 个词元一起送进带因果掩码的自注意力”的最后一个位置相同。
- `split_heads(x, num_heads)`、`merge_heads(x)`、`scaled_dot_product(query, key, value)` 都是 3a 里的，已经导入；最后一个返回一对（输出，权重）。
"""

# %% [markdown] lang="en"
r"""
## 3c.9 Stretch exercise: don't compute it again (a cache of keys and values)

To say word t, everything before it is decoded again: for a sentence of T words that makes $1 + 2 + \dots + T = T(T + 1) / 2$ words decoded, and only T of them are new. Do the old ones need it? Under a causal mask word 3 can't see word 4, so whether word 4 is there or not, **no number** of word 3's vectors changes in any block. All that a new word needs of the old ones is their keys and values (nobody asks for their queries again). Keep these, and each step sends **one** new word through the blocks: a **KV cache**.

Shapes: the cache is (B, N, t, H); key and value of the new word are (B, N, 1, H) and go to the end of the **token** axis, which makes (B, N, t + 1, H); the query of the new word, (B, N, 1, H), looks at all of them, with weights (B, N, 1, t + 1). And the mask? There is no need for one: all that is kept came before, and it may look at everything, itself included.

Write `kv_cache_step(attention, x, keys, values)`:

- `attention`: a multi-head attention layer, with four dense layers `query_dense`, `key_dense`, `value_dense`, `output_dense`, and the int `num_heads` (N).
- `x`: float (B, 1, D), the new token.
- `keys`, `values`: float (B, N, t, H), keys and values of the t tokens before, split into heads; t may be 0.
- **Returns** three things: the output (B, 1, D), the new `keys` and the new `values`, both of shape (B, N, t + 1, H), with the new token last.
- The result is to equal the last position of "all t + 1 tokens at once through self-attention with a causal mask".
- `split_heads(x, num_heads)`, `merge_heads(x)` and `scaled_dot_product(query, key, value)` are those of 3a, and imported; the last returns the pair (output, weights).
"""


# %% exercise="kv_cache_step"
def kv_cache_step(attention, x, keys, values):
    """Let one new token look at itself and at all before it, whose keys and values were kept.

    Args:
        attention: layer with query_dense, key_dense, value_dense, output_dense and num_heads.
        x: float tensor of shape (B, 1, D), the new token.
        keys: float tensor of shape (B, N, t, H), those of the t tokens before.
        values: float tensor of shape (B, N, t, H).

    Returns:
        The triple (output, keys, values): of shape (B, 1, D), and with the new token's key and
        value at the end, of shape (B, N, t + 1, H).
    """
    ### BEGIN SOLUTION
    query, key, value = (
        split_heads(dense(x), attention.num_heads)  # (B, N, 1, H)
        for dense in (attention.query_dense, attention.key_dense, attention.value_dense)
    )
    keys = ops.concatenate([keys, key], axis=2)  # (B, N, t + 1, H)
    values = ops.concatenate([values, value], axis=2)
    output, _ = scaled_dot_product(query, keys, values)  # (B, N, 1, H)
    return attention.output_dense(merge_heads(output)), keys, values
    ### END SOLUTION


# %% check="kv_cache_step"
check("kv_cache_step", kv_cache_step)

# %% [markdown] lang="zh"
r"""
**看一看。** 拿一层随机的自注意力，十个词：一次算完（带因果掩码），和一个一个地来（带缓存），输出应当处处相同。然后数运算量：一次乘加算两次运算，所以一个 D × D 的投影是 $2D^2$。解码器里的一个词，每一块要过：自注意力的四个投影 $8D^2$，交叉注意力的两个投影（查询和输出）$4D^2$，前馈 $4DF$，再加它看过的每个词元 $4D$（打分和加权和）。源句的键和值，$4D^2$ 一个源词，不用缓存时每一步都重算。用论文的大小：D = 512，F = 2048，6 块，源句和译文一样长；嵌入和最后的打分不算在内。
"""

# %% [markdown] lang="en"
r"""
**See it.** Take a layer of self-attention with random weights and ten words: all at once (with a causal mask) and one by one (with a cache) should agree everywhere. Then count the work: a multiplication with its addition is two operations, so a D × D projection takes $2D^2$. In each block of the decoder a word passes through four projections of self-attention, $8D^2$ FLOPs, two of cross-attention (query and output), $4D^2$, the feed-forward network, $4DF$, and takes $4D$ more for each token it looks at (score and weighted sum). Keys and values of the source, $4D^2$ for each of its words, are computed anew in each step if there is no cache. Sizes are those of the paper: D = 512, F = 2048, 6 blocks, and a target as long as its source; embeddings and the final scores are left out.
"""


# %%
def decoder_flops(now, seen, source_length, hidden_dim=512, intermediate_dim=2048, blocks=6):
    """FLOPs of sending `now` words through the decoder, each of which looks at `seen` + source."""
    dense = 12 * hidden_dim**2 + 4 * hidden_dim * intermediate_dim
    return blocks * now * (dense + 4 * hidden_dim * (seen + source_length))


def flops_of_a_sentence(length, cached):
    """FLOPs of saying `length` words about a source of as many."""
    source = 6 * 4 * 512**2 * length  # its keys and values, in all blocks
    if cached:
        return source + sum(decoder_flops(1, t, length) for t in range(1, length + 1))
    return sum(source + decoder_flops(t, t, length) for t in range(1, length + 1))


# %% tags=["experiment"]
if ready("kv_cache_step"):
    keras.utils.set_random_seed(3)
    attention = MultiHeadAttention(num_heads=4, hidden_dim=16)
    ten = tensor(np.random.default_rng(3).normal(size=(2, 10, 16)))
    together, _ = attention(ten, ten, ten, attention_mask=causal_mask(10)[None])
    keys = values = ops.zeros((2, 4, 0, 4))
    one_by_one = []
    for t in range(10):
        output, keys, values = kv_cache_step(attention, ten[:, t : t + 1], keys, values)
        one_by_one.append(np.asarray(output))
    gap = np.abs(np.concatenate(one_by_one, axis=1) - np.asarray(together)).max()
    say(f"两种算法的输出：{apart(gap)}", f"the two outputs: {apart(gap)}")

say(
    "   T   解码的词：不用缓存   用缓存   FLOPs：不用缓存   用缓存   倍数   缓存（MB）",
    "   T   words decoded: no cache   cache   FLOPs: no cache   cache   ratio   cache, MB",
)
lengths = (10, 30, 100, 300, 1000)
work = [[flops_of_a_sentence(length, cached) for cached in (False, True)] for length in lengths]
for length, (without, cached) in zip(lengths, work):
    megabytes = 6 * 2 * 2 * length * 512 * 4 / 1e6  # blocks, keys and values, target and source
    print(
        f"{length:5} {length * (length + 1) // 2:16} {length:12} {without:15.1e} {cached:12.1e}"
        f" {without / cached:7.1f} {megabytes:10.1f}"
    )

words = chart_words(LANG)
with chart(1, width=5) as (axis,):
    for i, label in enumerate((words("不用缓存", "no cache"), words("用缓存", "cache"))):
        axis.plot(
            lengths,
            [counts[i] for counts in work],
            color=COLOURS[i],
            marker=MARKERS[i],
            linestyle=STYLES[i],
            label=label,
        )
    axis.set(xscale="log", yscale="log", xlabel=words("译文长度 T", "length T"), ylabel="FLOPs")
    axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
省下的随长度增长，代价是内存：键和值要一直存着，每个词、每一块、源句和译文都要；束搜索留 K 个假设，译文那一份就要乘 K。而且步数没有少：还是 T 步，一步等一步。缓存省的是每一步里的活。

课程库的 `generate` 默认就用缓存。最后对一对，用和不用，说出来的应当一样：
"""

# %% [markdown] lang="en"
r"""
The longer the sentence, the more is saved, and memory pays for it: keys and values stay, for every word, in every block, of source and target; a beam search with K hypotheses needs those of the target K times. And there are no fewer steps: still T, each waiting for the one before. What a cache saves is work within each step.

The library's `generate` uses a cache unless told otherwise. One last comparison, with and without: both ought to say the same.
"""

# %% tags=["experiment"]
if trained():
    both = [library_says(slice(200), use_cache=use_cache) for use_cache in (True, False)]
    same = [a == b for a, b in zip(*map(words_said, both))]
    say(
        f"200 句里，用缓存和不用缓存说得一样的：{sum(same)}",
        f"of 200 sentences, the same with and without a cache: {sum(same)}",
    )

# %% [markdown] lang="zh"
r"""
## 3c.10 存好的实验：给同样的时间，谁译得好？

“Transformer 比循环网络好”，好在哪里，什么条件下？常见的比法是各练同样多的轮数。可是同样一轮，各家花的时间不同；买机器付的是时间。所以这里给每个模型**同样多的训练秒数**，每个模型练三次，三个种子（100 秒，两个 CPU 核；先量好各自一步要多久，再算出能走几步；步数是事先估好的，实际用时会差一些；第一步编译图的时间不算在这 100 秒里，下面报的秒数里有），数据用第 2 章的那一份：界面文字英译中，一万多对，同一个划分，同样的词表。三个模型：不带注意力的 GRU 和带注意力的 GRU（设置与第 2 章相同），两块加两块的 Transformer。基线还是**照抄最近的一条**。

BLEU 按字算，在整个测试集上。预测写在量之前：
"""

# %% [markdown] lang="en"
r"""
## 3c.10 Stored: who translates best, given the same time?

"The Transformer beats recurrent networks": at what, under which conditions? Often everyone is trained for the same number of epochs. But an epoch takes everyone a different time, and time is what machines cost. So here each model is given **the same number of seconds** of training, three times over with three seeds (100 seconds on two CPU cores: first each one's step is timed, then we know how many fit, and since that is an estimate the time taken differs a little; compiling the graph at the first step isn't part of the 100, but of the seconds reported below), on the data of chapter 2: interface strings from English to Chinese, some ten thousand pairs, the same split and vocabularies. Three models: the GRU without attention and with it (settings as in chapter 2), and a Transformer of two blocks and two. The baseline is again to **copy the nearest string**.

BLEU counts characters over the whole test set. The claim was written before anything was measured:
"""


# %% tags=["experiment"]
def tell(result):
    """The claim, and which of its parts held."""
    print(result["claim"][LANG])
    for part, held in result.get("parts", {"": result["holds"]}).items():
        verdict = text("成立", "holds") if held else text("不成立", "does not hold")
        print(f"({part}) → {verdict}")


result = stored("translation_at_equal_time")
if result:
    tell(result)
    kinds = {
        "copy": text("照抄最近的一条     ", "copy the nearest       "),
        "gru": text("GRU               ", "GRU                    "),
        "gru_attention": text("GRU 加注意力       ", "GRU with attention     "),
        "transformer": text("Transformer，贪心  ", "Transformer, greedy    "),
        "transformer_beam": text("Transformer，束宽 4", "Transformer, beam of 4 "),
    }
    for kind, name in kinds.items():
        found = result["figures"][kind]
        score, exact = found["character_bleu"], found["exact"]
        line = text(
            f"{name} BLEU {score['mean']:5.1f} ± {score['sd']:.1f}，"
            f"一字不差 {exact['mean']:.1%} ± {exact['sd']:.1%}",
            f"{name} BLEU {score['mean']:5.1f} ± {score['sd']:.1f}, "
            f"right to the character {exact['mean']:.1%} ± {exact['sd']:.1%}",
        )
        if "steps" in found:
            steps, seconds = found["steps"]["mean"], found["train_seconds"]["mean"]
            size = found["parameters"]["mean"] / 1e6
            line += text(
                f"（{steps:.0f} 步，含编译 {seconds:.0f} 秒，{size:.2f} M 参数）",
                f" ({steps:.0f} steps, {seconds:.0f} s with compiling, {size:.2f} M parameters)",
            )
        print(line)

    words = chart_words(LANG)
    with chart(1, width=6) as (axis,):
        labels = {
            "copy": words("照抄", "copy"),
            "gru": "GRU",
            "gru_attention": words("GRU\n加注意力", "GRU +\nattention"),
            "transformer": words("Transformer\n贪心", "Transformer\ngreedy"),
            "transformer_beam": words("Transformer\n束宽 4", "Transformer\nbeam 4"),
        }
        for i, kind in enumerate(labels):
            values = result["figures"][kind]["character_bleu"]["values"]
            aside = np.linspace(-0.12, 0.12, len(values))  # so that marks don't hide each other
            axis.plot(i + aside, values, MARKERS[i], color=COLOURS[i])
        axis.set_xticks(range(len(labels)), list(labels.values()))
        axis.set(ylabel="BLEU", ylim=(0, None))

# %% [markdown] lang="zh"
r"""
每个点是一个种子。读这张图，先看它和照抄差多少，再看几个模型之间差多少，最后看同一个模型的三个点散得多开：比散开的还小的差别，不算差别。这里说的是**一万多对句子、100 秒、两个 CPU 核**。数据多几百倍，或者换成能把矩阵乘法摊开来算的显卡，名次可能全变：循环网络的步子只能一步等一步，那正是 Transformer 省掉的。

3c.8 问过束搜索值多少。这里它没有让 BLEU 升高（26.3 → 26.2），一字不差的却多了一点（8.0% → 9.2%）。Transformer 也没有胜过带注意力的 GRU（26.3 对 27.9）：同样的秒数，它只走了 1211 步，GRU 走了 1878 步。

### 存好的实验：两样手艺，有没有用？

预热和平滑都来自大模型。在小模型上，拆开来各量一次：字母变音素（和第 2 章同一份数据），三块加三块的小 Transformer，后归一化，四种训练只差这两样：都没有、只有平滑、只有预热、都有。学习率的最高点相同；没有预热的，第一步就用最高点。（这里的学习率先直线上升，再直线下降到 0，不是上面的平方根。）
"""

# %% [markdown] lang="en"
r"""
Every mark is a seed. To read the picture, look first how far each is from copying, then how far the models are from each other, and last how far apart the three marks of one model are: a difference smaller than that is none. All of this is about **ten thousand pairs, 100 seconds, two CPU cores**. With some hundred times the data, or on a GPU, which spreads matrix products over thousands of units, the order may well be another: recurrent steps have to wait for each other, and that is what the Transformer does away with.

3c.8 asked what beam search is worth. Here it doesn't raise BLEU (26.3 → 26.2), though a few more strings are right to the character (8.0 % → 9.2 %). Nor does the Transformer beat the GRU with attention (26.3 against 27.9): in the same seconds it took 1211 steps, the GRU 1878.

### Stored: do the two tricks help?

Warm-up and smoothing come from large models. On a small one, let us take them apart and measure: letters to phones (the data of chapter 2), a small post-LN Transformer of three blocks and three, and four trainings that differ in these two things alone: neither, smoothing only, warm-up only, both. The highest learning rate is the same; without a warm-up it is there from the first step. (Here the rate rises in a straight line and falls to 0 in a straight line, not with the root as above.)
"""

# %% tags=["experiment"]
result = stored("smoothing_and_warmup")
if result:
    tell(result)
    kinds = {
        "neither": text("都没有  ", "neither       "),
        "smoothing": text("只有平滑", "smoothing only"),
        "warmup": text("只有预热", "warm-up only  "),
        "both": text("都有    ", "both          "),
    }
    for kind, name in kinds.items():
        found = {
            what: values["mean"]
            for what, values in result["figures"][kind].items()
            if "mean" in values
        }
        say(
            f"{name} 音素准确率 {found['accuracy']:.3f}，全对的词 {found['exact']:.1%}，"
            f"交叉熵 {found['loss']:.3f}，平均把握 {found['confidence']:.3f}，"
            f"校准误差 {found['calibration_error']:.3f}",
            f"{name} phones right {found['accuracy']:.3f}, words fully correct "
            f"{found['exact']:.1%}, cross-entropy {found['loss']:.3f}, mean confidence "
            f"{found['confidence']:.3f}, calibration error {found['calibration_error']:.3f}",
        )

    words = chart_words(LANG)
    column_names = {
        "neither": words("都没有", "neither"),
        "smoothing": words("只有平滑", "smoothing only"),
        "warmup": words("只有预热", "warm-up only"),
        "both": words("都有", "both"),
    }
    with chart(2) as axes:
        for i, kind in enumerate(column_names):
            losses = result["figures"][kind]["train_loss"]
            axes[0].plot(
                [int(step) for step in losses],
                [values["mean"] for values in losses.values()],
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=STYLES[i],
                label=column_names[kind],
            )
            for what, fill in (("accuracy", "full"), ("confidence", "none")):
                values = result["figures"][kind][what]["values"]
                axes[1].plot(
                    [i + (0.2 if fill == "none" else 0.0)] * len(values),
                    values,
                    MARKERS[i],
                    color=COLOURS[i],
                    fillstyle=fill,
                )
        labels = [name.replace(" ", "\n") for name in column_names.values()]
        axes[1].set_xticks(np.arange(len(labels)) + 0.1, labels)
        axes[0].set(xlabel=words("第几步", "step"), ylabel=words("训练损失", "training loss"))
        axes[0].legend(frameon=False, fontsize="small")
        axes[1].set_title(words("实心：准确率　空心：把握", "full: accuracy, empty: confidence"))

# %% [markdown] lang="zh"
r"""
左图里，有平滑和没有平滑的训练损失**不能**互相比（它们的最低点不同，见 3c.2）；能比的是平滑相同、预热不同的两条线。右图里，每一列实心的高度是“猜对多少”，空心的是“自己以为会对多少”，两者靠得近，就是校准得好。**把握**（confidence）是模型给它最看好的那个词元的概率；**校准误差**（calibration error）按把握分成十组，看每组里把握和准确率差多少，再按组的大小平均。这个话题 7c 还要细讲。

两样手艺，有没有用？在这个小模型上，预热有用：准确率从 0.758 升到 0.860，三个种子也不再各走各的。平滑没有提高准确率（0.860 对 0.861），还把把握压得过低：0.80 对 0.86，校准误差从 0.012 升到 0.063。它治的是过分自信，而这个模型不平滑时本来就不过分自信。
"""

# %% [markdown] lang="en"
r"""
On the left, training losses with and without smoothing **can't** be compared (their lowest points differ, see 3c.2); what can be are two lines with the same smoothing and another warm-up. On the right, full marks say how often the model is right, empty ones how often it believes to be; where they are close, it is well calibrated. **Confidence** is the probability the model gives to the token it likes best; the **calibration error** sorts tokens into ten groups by confidence, takes the gap between confidence and accuracy in each, and averages by the size of the groups. 7c has more on this.

So do the two tricks help? In this small model the warm-up does: accuracy rises from 0.758 to 0.860, and the three seeds no longer go their own ways. Smoothing doesn't raise accuracy (0.860 and 0.861) and makes the model too unsure of itself: 0.80 against 0.86, with the calibration error up from 0.012 to 0.063. Smoothing is a cure for overconfidence, and without it this model had none.
"""

# %% [markdown] lang="zh"
r"""
## 3c.11 找错练习

下面的 `patient(model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length)` 做两件事：算一批句子的训练损失（软标签，s = 0.1，除数 V，只算真词），再替**第一句**做一次束搜索（宽度 3，$\alpha = 0.6$）。它返回三样：损失，最好的那句的词元编号（列表，不含 `begin_id`，含 `end_id`），它的得分。

- `model`：和 `greedy_decode_transformer` 里的一样，有 `encode` 和 `decode`；`token_ids`、`padding_mask`：源句，(B, S)。
- `target_ids`、`target_mask`：译文，(B, T + 1)，从 `begin_id` 开始，**还没有右移**；`begin_id`、`end_id`、`max_length`：整数。

它能运行，形状也对，可是有**一处**毛病。不同班级拿到的毛病可能不同。

1. 找出是哪一种，把名字写进 `suspect`（字符串）：

| 名字 | 毛病 |
|---|---|
| `targets_not_shifted` | 解码器拿到的就是标签 |
| `smoothing_divisor` | 软标签加起来不是 1 |
| `source_mask_dropped` | 源句的填充被当成词来读 |
| `beams_start_alike` | 所有假设都是同一个 |
| `penalty_by_step` | 每个假设都除以同一个长度 |
| `ended_ones_dropped` | 说完了的被忘掉 |

2. 写出修好的 `repaired(model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length)`。

建议先不读代码，先做实验：自己写一个 `decode` 总是返回同样概率的 `model`，损失该是多少，手算得出来；再让源句后面多几个填充，看什么变了；再看一看留下的几个假设。

指出毛病 1 分，修好 4 分。
"""

# %% [markdown] lang="en"
r"""
## 3c.11 Debugging drill

`patient(model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length)` below does two things: it computes the training loss of a batch (soft labels, s = 0.1, divisor V, real words only), and then a beam search for **the first sentence** (width 3, $\alpha = 0.6$). It returns three things: the loss, the token ids of the best sentence (a list without `begin_id` and with `end_id`), and its score.

- `model`: as in `greedy_decode_transformer`, with `encode` and `decode`; `token_ids`, `padding_mask`: the source, (B, S).
- `target_ids`, `target_mask`: the target, (B, T + 1), which begins with `begin_id` and is **not shifted yet**; `begin_id`, `end_id`, `max_length`: ints.

It runs, its shapes are right, and it has **one** fault. Other classes may get other faults.

1. Find out which, and write its name into `suspect` (a string):

| Name | Fault |
|---|---|
| `targets_not_shifted` | the decoder is given the labels themselves |
| `smoothing_divisor` | soft labels don't add up to 1 |
| `source_mask_dropped` | the source's padding is read like words |
| `beams_start_alike` | all hypotheses are one and the same |
| `penalty_by_step` | every hypothesis is divided by the same length |
| `ended_ones_dropped` | what has ended is forgotten |

2. Write `repaired(model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length)`, the fixed version.

Better experiment before you read the code: write a `model` whose `decode` returns the same probabilities all the time, so that you can work out the loss by hand; put more padding behind the source and see what moves; look at the hypotheses that are kept.

Naming the fault gives 1 point, the repair 4.
"""

# %% exercise="drill_ch03c_transformer"
from drill import patient, suspect, repaired

# %% check="drill_ch03c_transformer"
check("drill_ch03c_transformer", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 3c.12 同样的东西，在 Keras 和 KerasHub 里

- Keras 的 `keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)` 自己会把 one-hot 标签改软，除数也是 V。
- 论文的学习率公式 Keras 里没有现成的；要用，就写一个 `keras.optimizers.schedules.LearningRateSchedule` 的子类。当心它从第 0 步数起，要加 1。
- KerasHub（以前叫 KerasNLP）有 `keras_hub.layers.TransformerEncoder` 和 `keras_hub.layers.TransformerDecoder`；它的解码器**自己**加因果掩码，我们的要你自己把掩码传进去。
- `keras_hub.samplers.BeamSampler` 也是束搜索，有两处不同：没有长度惩罚；句子结束以后，后面的概率还会接着乘进去。所以要比，就在一个不会结束的语言上比，$\alpha = 0$。

（没装 KerasHub 也没关系，会跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 3c.12 The same thing in Keras and KerasHub

- `keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)` of Keras softens one-hot labels by itself, and its divisor is V as well.
- Keras doesn't have the paper's learning rate ready-made; to use it, write a subclass of `keras.optimizers.schedules.LearningRateSchedule`, and mind that it counts steps from 0, so add 1.
- KerasHub (once KerasNLP) has `keras_hub.layers.TransformerEncoder` and `keras_hub.layers.TransformerDecoder`; its decoder adds the causal mask **by itself**, ours wants to be given it.
- `keras_hub.samplers.BeamSampler` is a beam search, too, with two differences: it has no length penalty; and after a sentence has ended, further probabilities are still multiplied in. So compare on a language that never ends, with $\alpha = 0$.

(Without KerasHub that line is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
if ready("label_smoothing"):
    rng = np.random.default_rng(5)
    some_logits, some_ids = tensor(rng.normal(size=(6, 9))), ops.convert_to_tensor(range(6))
    soft = label_smoothing(some_ids, 9, 0.1)
    ours = -ops.mean(ops.sum(soft * ops.log_softmax(some_logits), axis=-1))
    loss_of = keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)
    gap = abs(float(ours) - float(loss_of(ops.one_hot(some_ids, 9), some_logits)))
    print(f"keras.losses.CategoricalCrossentropy {apart(gap)}  {'OK' if gap < 1e-5 else '!!'}")

if ready("beam_search"):
    try:
        import keras_hub

        chain = tensor(2 * rng.normal(size=(12, 12)))  # logits of the next of 12 tokens
        log_chain = np.asarray(ops.log_softmax(chain))

        def following(prompt, cache, index):
            return ops.take(chain, prompt[:, index - 1], axis=0), None, cache

        sampler = keras_hub.samplers.BeamSampler(num_beams=3)
        prompt = ops.convert_to_tensor([[5, 0, 0, 0, 0, 0, 0]], dtype="int32")
        known = ops.convert_to_tensor([[True] + [False] * 6])
        theirs = sampler(following, prompt, cache=(), index=1, mask=known)
        mine = beam_search(lambda prefix: log_chain[prefix[-1]], 5, -1, 6, 3, 0.0)[0][0]
        theirs = np.asarray(theirs)[0, 1:].tolist()
        same = text("说得一样", "says the same") if theirs == mine else f"{theirs} {mine}"
        print(f"keras_hub.samplers.BeamSampler {same}  {'OK' if theirs == mine else '!!'}")
    except ImportError:
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")

# %% [markdown] lang="zh"
r"""
## 3c.13 常见误解

先逐句判断，再看数字。

1. BERT 是一个序列到序列的模型。
2. 每一步都挑概率最大的词，整句的概率也就最大。
3. 束越宽，译得越好。
4. 训练解码器的时候，只能给它 `[BOS]`，让它一个词一个词地说，否则就是偷看答案。
5. 长度惩罚的 $\alpha$ 越大，越偏向短句：毕竟是“惩罚”长度。
"""

# %% [markdown] lang="en"
r"""
## 3c.13 Myth box

Judge each sentence first, then look at the numbers.

1. BERT is a sequence-to-sequence model.
2. Taking the likeliest word at every step gives the likeliest sentence.
3. The wider the beam, the better the translation.
4. In training a decoder must be given `[BOS]` only and say word after word; anything else is peeking at the answer.
5. The larger the $\alpha$ of the length penalty, the more it favours short sentences: it is a penalty on length, after all.
"""

# %% tags=["experiment"]
if ready("transformer_logits"):
    # 1: change the last word of an input; at which positions does the output move?
    moved_by_last = []
    changed = {name: part.copy() for name, part in two.items()}
    changed["token_ids"][1, -2] = 9  # the last word before [EOS]
    changed["target_ids"][1, -1] = 9
    read = [
        np.asarray(
            untrained.encode(
                *map(ops.convert_to_tensor, (inputs["token_ids"], inputs["padding_mask"]))
            )[0]
        )[1]
        for inputs in (two, changed)
    ]
    only_target = {**two, "target_ids": changed["target_ids"]}
    heard = [np.asarray(untrained(as_tensors(inputs)))[1] for inputs in (two, only_target)]
    for name, (a, b) in (
        (text("编码器", "encoder"), read),
        (text("解码器", "decoder"), heard),
    ):
        positions = np.abs(a - b).max(axis=-1) > 1e-6
        say(
            f"1 {name}：换掉最后一个词，{len(positions)} 个位置里变了 {positions.sum()} 个",
            f"1 {name}: another last word moves {positions.sum()} of {len(positions)} positions",
        )

    # 4: all at once, and word by word, with the same words fed
    at_once = np.asarray(untrained(as_tensors(two)))
    by_word = [
        np.asarray(untrained(as_tensors({**two, "target_ids": two["target_ids"][:, : t + 1]})))[
            :, -1
        ]
        for t in range(two["target_ids"].shape[1])
    ]
    gap = np.abs(np.stack(by_word, axis=1) - at_once).max()
    say(
        f"4 一次算完和一个一个算，logits {apart(gap)}",
        f"4 all at once and word by word, the logits are {apart(gap)}",
    )

if ready("beam_search"):
    # 2: the little language of 3c.8
    for beam_width in (1, 2):
        (said, score), *_ = beam_search(little_language, 0, 1, 5, beam_width, 0.0)
        print(
            2,
            text("宽度", "width"),
            beam_width,
            " ".join(LITTLE[i] for i in said[:-1]),
            f"{math.exp(score):.2f}",
        )

    # 3: 8 words, each with two synonyms, and a chance of 3 % to say nothing at all
    def shy(prefix):
        """Log-probabilities of [BOS], [EOS] and two synonyms; either of them will do."""
        length = len(prefix) - 1
        end = 0.03 if length == 0 else float(length == 8)
        with np.errstate(divide="ignore"):
            return np.log([0.0, end, (1 - end) / 2, (1 - end) / 2])

    for length_penalty in (0.0, 0.6):
        for beam_width in (1, 4, 16, 64):
            (said, score), *_ = beam_search(shy, 0, 1, 12, beam_width, length_penalty)
            say(
                f"3 alpha {length_penalty}，宽度 {beam_width:2}：说了 {len(said) - 1} 个词，"
                f"得分 {score:.2f}",
                f"3 alpha {length_penalty}, width {beam_width:2}: {len(said) - 1} words said, "
                f"score {score:.2f}",
            )

# 5: the two hypotheses of 3c.8
for alpha in (0.0, 0.3, 0.6, 1.0):
    short, long = -3.0 / (8 / 6) ** alpha, -3.6 / (12 / 6) ** alpha
    winner = text("短的胜", "short wins") if short > long else text("长的胜", "long wins")
    print(5, f"alpha {alpha}: {short:.2f}, {long:.2f}", winner)

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** BERT 只有左半边：编码器，没有解码器，没有交叉注意力，也没有因果掩码。编码器里换掉最后一个词，每个位置都变：每个词都看得到整句，所以不能拿“猜下一个词”来训练，答案就在它眼前。BERT 另想了办法，挖掉几个词让它猜（5b）。（说 BERT “完全不能生成”也过头了，6c 再说。）
2. **错。** 贪心得 0.21，有一句是 0.36。眼前的最大不等于整句的最大。
3. **错。** 束越宽，找到的句子**按模型的打分**越好；可是模型的打分不等于译得好。上面的模型有 3% 的可能什么也不说，八个词的句子却有 256 种同样好的说法，每种只有 0.4%。束窄的时候，空句子早早被挤掉；束宽到 64，它挤不掉了，最后“胜出”。真的翻译模型也这样：Stahlberg 和 Byrne（2019）把最可能的译文真正找出来，一半以上的句子里，竟是[空的那句](https://arxiv.org/abs/1908.10090)。除以长度能救回来一些，救不了全部。
4. **错。** 训练时整句喂进去，因果掩码不让任何一个位置看到它后面的，logits 和一个一个喂**一样**。这是教师强制，不是偷看；会偷看的是忘了右移，或忘了掩码。
5. **错。** 分数是负的，除得越多越靠近 0，长句除得更多，所以 $\alpha$ 越大越偏向**长**句。它“惩罚”的其实是短。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** BERT is the left half alone: an encoder, no decoder, no cross-attention, no causal mask. In an encoder another last word moves every position: each word sees the whole sentence, so "predict the next word" can't train it, the answer is before its eyes. BERT found another way: take some words out and have it guess those (5b). (That BERT "can't generate at all" goes too far as well; see 6c.)
2. **Wrong.** Greedy gets 0.21, and there is one of 0.36. The best right now isn't the best in the end.
3. **Wrong.** A wider beam finds what is better **by the model's own score**, and that isn't the same as a better translation. The model above says nothing at all with a chance of 3 %, while a sentence of eight words has 256 equally good forms of 0.4 % each. In a narrow beam the empty sentence is crowded out early; in one of 64 it stays, and "wins" in the end. Real translation models do so, too: Stahlberg and Byrne (2019) searched until they had the likeliest translation for sure, and for more than half of the sentences it was [the empty one](https://arxiv.org/abs/1908.10090). Dividing by length repairs some of that, not all.
4. **Wrong.** In training the whole target is fed, the causal mask lets no position see what comes after it, and the logits are **the same** as one by one. That is teacher forcing, not peeking; what does peek is a target that isn't shifted, or a mask that is missing.
5. **Wrong.** Scores are negative, dividing by more brings them closer to 0, and long sentences are divided by more: a larger $\alpha$ favours **long** ones. What it penalises is shortness.
"""

# %% [markdown] lang="zh" exercise="written_ch03c_transformer"
r"""
## 3c.14 简答题

同事比较了两个翻译模型，各练 20 轮，各测一次：带注意力的 GRU，贪心解码，BLEU 28.1；Transformer，束宽 8，BLEU 29.4。他写道：“拿掉循环、只用注意力，译文就更好；束再宽一些，还能更好。”

用 250–300 字回答：这两句话，证据各支持到什么程度？指出两个模型之间除了循环还有哪些地方不同；至少引用本章里的两个数字（自己跑出来的或存好的结果）；再设计一个公平的比较，事先说好什么样的结果会推翻他。

这道题由老师评阅，不计入 36 分。好的回答里有一个只差一处的比较，一条基线，种子之间的起伏，和一个事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch03c_transformer"
r"""
## 3c.14 Written question

A colleague compares two translation models, each trained for 20 epochs and tested once: a GRU with attention, decoded greedily, BLEU 28.1; a Transformer, beam of 8, BLEU 29.4. He writes: "Without recurrence, with attention alone, translations are better; and with a wider beam they will be better still."

Answer in 150 to 200 words: how far does the evidence carry each half of that sentence? Say in what the two models differ besides the recurrence; quote at least two numbers of this notebook (your own runs or stored results); design a fair comparison, and say beforehand which result would refute him.

Your teacher reads this one; it is not part of the 36 points. A good answer has a comparison that differs in one thing, a baseline, the spread between seeds, and a criterion fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 指出混在一起的因素：解码方法不同（贪心对束宽 8）、同样的轮数不等于同样的时间或步数、参数量可能不同；只测一次，1.3 的差别和种子之间的起伏比不出来；没有照抄的基线。
2. 关于束宽：引用本章的数字（宽度 1 到 8 的表、存好的结果里贪心和束宽 4 的差、64 宽时的空句子），说明“按模型的打分更好”和“译得更好”是两回事。
3. 设计的比较一次只动一处（例如同样秒数、同样的解码），至少三个种子，有照抄的基线，事先说清哪种结果推翻他的说法。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Names what is mixed up: different decoding (greedy against a beam of 8), equal epochs that are neither equal time nor equal steps, perhaps different numbers of parameters; one run each, so a difference of 1.3 can't be told from the spread between seeds; no copying baseline.
2. On the beam: quotes numbers of this notebook (the table of widths 1 to 8, greedy and beam of 4 in the stored results, the empty sentence at a width of 64) and tells "better by the model's score" from "a better translation".
3. The comparison proposed changes one thing at a time (the same seconds and the same decoding, say), has three seeds or more and the copying baseline, and says beforehand which result would refute him.
"""

# %% [markdown] lang="zh"
r"""
## 3c.15 小结：半页带走

**接线。** 编码器读一遍，填充掩码；解码器的每一块先看译文的过去（因果掩码），再看**整个编码器的输出**（填充掩码）。

| 张量 | 形状 | 掩码 |
|---|---|---|
| 源句 | (B, S, D) | (B, 1, S) |
| 译文 | (B, T, D) | (1, T, T) |
| 交叉注意力的权重 | (B, N, T, S) | (B, 1, S) |
| logits | (B, T, V) | 损失里用标签的掩码 |

**训练的两样手艺。** 软标签：正确的 $1 - s + s / V$，其余 $s / V$。学习率：

$$\mathrm{rate} = D^{-1/2} \cdot \min\left(\mathrm{step}^{-1/2},\ \mathrm{step} \cdot w^{-3/2}\right)$$

**说话。** 贪心只看眼前；束搜索留 K 个假设，各除以自己的长度：

$$\mathrm{score}(Y) = \frac{\log P(Y)}{\left((5 + n) / 6\right)^{\alpha}}$$

**缓存。** 因果掩码下旧词不再变，存好键和值，一步只算一个新词；步数不变。

还有一句：同一台机器，训练时并行，说话时一步一步。
"""

# %% [markdown] lang="en"
r"""
## 3c.15 Half a page to take with you

**Wiring.** The encoder reads once, with the padding mask; each decoder block looks at the target's past (causal mask), then at **the encoder's output** (padding mask).

| Tensor | Shape | Mask |
|---|---|---|
| source | (B, S, D) | (B, 1, S) |
| target | (B, T, D) | (1, T, T) |
| weights of cross-attention | (B, N, T, S) | (B, 1, S) |
| logits | (B, T, V) | that of the labels, in the loss |

**Two tricks of training.** Soft labels: $1 - s + s / V$ at the right token, $s / V$ elsewhere. Learning rate:

$$\mathrm{rate} = D^{-1/2} \cdot \min\left(\mathrm{step}^{-1/2},\ \mathrm{step} \cdot w^{-3/2}\right)$$

**Speaking.** Greedy sees the next step only; beam search keeps K hypotheses, each divided by its own length:

$$\mathrm{score}(Y) = \frac{\log P(Y)}{\left((5 + n) / 6\right)^{\alpha}}$$

**Cache.** Under a causal mask old words never change; keep their keys and values, and a step computes one new word. There are as many steps as before.

And one sentence: one machine, parallel in training, step by step in speaking.
"""

# %% [markdown] lang="zh"
r"""
## 3c.16 接下来

- **4a** 先不翻译：只用语言模型来学词在句子里的意思（ELMo）。
- **4b** 只留右半边，去掉交叉注意力，就是 GPT；这里的缓存和解码，那里都用得上。
- **5a** 只留左半边，就是 BERT。

想读原文：[Attention Is All You Need](https://arxiv.org/abs/1706.03762)，现在除了实验表格，每一节你都动手做过了；标签平滑见 [Rethinking the Inception Architecture](https://arxiv.org/abs/1512.00567) 第 7 节；长度惩罚见 [Google's Neural Machine Translation System](https://arxiv.org/abs/1609.08144) 第 7 节；为什么要预热，见 [On Layer Normalization in the Transformer Architecture](https://arxiv.org/abs/2002.04745)。课程库里的整个模型在 `bert_keras/models/transformer.py`，成批的束搜索在 `bert_keras/generation.py`，`configs/` 里有训练它的设置。
"""

# %% [markdown] lang="en"
r"""
## 3c.16 Where next

- **4a** leaves translation aside: a language model alone learns what words mean in their sentence (ELMo).
- **4b** keeps the right half, without cross-attention: that is GPT, and cache and decoding come along.
- **5a** keeps the left half: that is BERT.

For the sources: [Attention Is All You Need](https://arxiv.org/abs/1706.03762), every section of which you have now worked through with your hands, its tables of results aside; for label smoothing section 7 of [Rethinking the Inception Architecture](https://arxiv.org/abs/1512.00567); for the length penalty section 7 of [Google's Neural Machine Translation System](https://arxiv.org/abs/1609.08144); and for why to warm up, [On Layer Normalization in the Transformer Architecture](https://arxiv.org/abs/2002.04745). The library's whole model is in `bert_keras/models/transformer.py`, its batched beam search in `bert_keras/generation.py`, and `configs/` has settings to train it.
"""
