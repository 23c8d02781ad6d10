# %% [markdown] lang="zh"
r"""
# 4b GPT：从左往右读，什么任务都写成一行字

4a 的 ELMo 把预训练（pretraining）好的特征交给别人用：下游任务（downstream task）自己另搭一个模型，ELMo 在一旁冻着。2018 年夏天，GPT 走了另一条路，更省事，也更大胆：

- 预训练的就是**整个模型**，换了任务照样用它，所有参数一起微调（fine-tuning）；
- 模型里只有一种块，就是 3b 写过的那种，外加一张因果掩码（causal mask）；
- 不管什么任务，先改写成**一行词元**，再从最后一个词元读答案。

这一章里，你写出这个模型、它的损失、它写字时怎么抽签、四种任务的输入，以及微调的损失；中间训练一个小 GPT，看它跟数数的 n-gram 比起来怎么样。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `gpt_logits` | 6 | 20 | 核心 | 输出层与词元嵌入表共用参数；谁也不看填充 | 随机张量、造出来的块 |
| `causal_lm_loss` | 5 | 15 | 核心 | 只在这里错开一格；算哪些词元，由掩码说了算 | 手算的三个词元 |
| `sample` | 6 | 25 | 核心 | 先温度，再 top-k，再 top-p；越过 p 的那个词元留下 | 手写的分布 |
| `classification_input` | 2 | 5 | 核心 | 先裁文字，再加记号 | 整数列表 |
| `entailment_input` | 3 | 7 | 核心 | 前提在前；裁长的那一段 | 整数列表 |
| `similarity_input` | 3 | 8 | 核心 | 两种次序，裁法相同 | 整数列表 |
| `multiple_choice_input` | 3 | 7 | 核心 | 每个答案都带上文 | 整数列表 |
| `gpt_finetune_loss` | 4 | 10 | 核心 | 任务的损失，加上 λ 份语言模型的损失 | 随机张量 |
| `drill_ch04b_gpt` | 8 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch04b_gpt` | 0 | 12 | 核心 | 老师评阅，不计入 40 分 | 本章的图和数字 |

核心练习 40 分。只做练习大约两小时，连同实验大约两个半小时；4b.7 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数。
"""

# %% [markdown] lang="en"
r"""
# 4b GPT: read from left to right, and put every task into one line

ELMo in 4a hands pretrained features to others: a downstream task builds a model of its own, and ELMo stands by, frozen. In the summer of 2018 GPT took another road, simpler and bolder:

- what is pretrained is the **whole model**; another task takes it as it is, and fine-tuning moves all of its weights;
- there is only one kind of block in it, the one you wrote in 3b, and a causal mask;
- whatever the task, it is first rewritten as **one line of tokens**, and the answer is read at the last of them.

In this notebook you write the model, its loss, the way it draws what to write next, the inputs of four kinds of tasks, and the loss of fine-tuning; on the way you train a small GPT and see how it compares with n-grams, which only count.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `gpt_logits` | 6 | 20 | core | the output shares the token table; nobody looks at padding | random tensors, made-up blocks |
| `causal_lm_loss` | 5 | 15 | core | shifted here and nowhere else; the mask says which tokens count | three tokens by hand |
| `sample` | 6 | 25 | core | temperature, then top-k, then top-p; the token that crosses p stays | distributions by hand |
| `classification_input` | 2 | 5 | core | cut the text first, then add the marks | lists of ints |
| `entailment_input` | 3 | 7 | core | premise first; the longer text is cut | lists of ints |
| `similarity_input` | 3 | 8 | core | both orders, cut alike | lists of ints |
| `multiple_choice_input` | 3 | 7 | core | every answer comes with the context | lists of ints |
| `gpt_finetune_loss` | 4 | 10 | core | the task's loss and λ times the language model's | random tensors |
| `drill_ch04b_gpt` | 8 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch04b_gpt` | 0 | 12 | core | read by your teacher, not part of the 40 points | the pictures and numbers of this notebook |

40 core points. The exercises take about two hours, with the experiments about two and a half; just before 4b.7 is a good place to pause.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other random numbers.
"""

# %%
import math

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.analysis.task_strips import task_strips
from bert_keras.layers.masks import causal_mask, combine_masks
from bert_keras.layers.transformer import EncoderBlock
from bert_keras.text.packing import truncate_pair
from bert_keras.text.task_inputs import Marks, pad_task_inputs, room_for_texts

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


# %% [markdown] lang="zh"
r"""
## 4b.1 标签很少，文字很多

先看一笔账。我们有一万多条带标签的评论，每条评论只给一个数：好评还是差评。同样是一句话，让模型去预测**下一个字**，有几个字就有几个答案，而且不用人来标。下面读进一个月的报纸，一个字算一个词元，数一数。（读文件要等几秒到半分钟。）
"""

# %% [markdown] lang="en"
r"""
## 4b.1 Few labels, much text

First, some bookkeeping. A sentence with a label, praise or blame, gives one number to learn from. Let a model predict the **next character** of the same sentence, and every character is an answer, for which nobody had to be paid. The next cell reads BBC news, one character per token, and counts. (Reading takes from a few seconds to half a minute.)
"""

# %% tags=["experiment"]
from bert_keras.training import language_data
from bert_keras.training.language_sections import TextSection

CORPUS = {"zh": "peoples_daily", "en": "bbc_news"}[LANG]
LENGTH = {"zh": 48, "en": 80}[LANG]  # longer sentences are cut into pieces
TRAIN_ROWS = {"zh": 12_000, "en": 8_000}[LANG]
data = None  # filled by the next cell

# %% tags=["experiment"]
data = language_data.load(
    TextSection(corpus=CORPUS, minimum_count=15, rows=TRAIN_ROWS, test_rows=500)
)
tokens_of_id = list(data.vocabulary)
BOS, EOS, UNK = (data.vocabulary[mark] for mark in ("[BOS]", "[EOS]", "[UNK]"))


def words_of(ids):
    """Characters of some ids, without the marks; a box for what is rare."""
    kept = [i for i in ids if i not in (0, BOS, EOS)]
    return "".join("□" if i == UNK else tokens_of_id[i] for i in kept)


train_ids = data.splits["train"]
targets = sum(len(ids) - 1 for ids in train_ids)
for ids in train_ids[:3]:
    print(words_of(ids))
say(
    f"{len(train_ids)} 句，{len(tokens_of_id)} 种词元；要预测的词元 {targets} 个，"
    f"平均一句 {targets / len(train_ids):.0f} 个。"
    f"要是每句只贴一个标签，一共才 {len(train_ids)} 个。",
    f"{len(train_ids)} sentences, {len(tokens_of_id)} kinds of tokens; {targets} tokens to "
    f"predict, {targets / len(train_ids):.0f} in a sentence. With one label on every sentence, "
    f"there would be {len(train_ids)} in all.",
)

# %% [markdown] lang="zh"
r"""
谁来预测下一个字？1b 的三元模型（trigram）已经会了：看前两个字，数一数后面跟过什么。让它自己写几句：按数出来的次数抽一个字，接上，再看最后两个字，再抽……写之前先猜一猜：这样写出来的话，读到第几个字会露馅？
"""

# %% [markdown] lang="en"
r"""
Who predicts the next character? The trigram of 1b already can: look at the two characters before, and count what has followed them. Let it write: draw a character by those counts, put it behind, look at the last two, draw again … Before you look: after how many letters does such a text give itself away?
"""

# %% tags=["experiment"]
followers = {}
for ids in train_ids:
    for first, second, third in zip((BOS, *ids), ids, ids[1:]):
        counts = followers.setdefault((first, second), {})
        counts[third] = counts.get(third, 0) + 1
rng = np.random.default_rng(0)
for _ in range(4):
    line = [BOS, BOS]
    while line[-1] != EOS and len(line) < LENGTH:
        counts = followers[line[-2], line[-1]]
        shares = np.array(list(counts.values())) / sum(counts.values())
        line.append(int(rng.choice(list(counts), p=shares)))
    print(words_of(line))

# %% [markdown] lang="zh"
r"""
任意相邻三个字，原文里都出现过，所以读着都顺；一句话从头到尾却不知所云，因为它写到后面，早忘了前面。要记得更远，就得有一个能看到整个上文的模型。3a 的自注意力正好可以，只要别让它偷看后文。
"""

# %% [markdown] lang="en"
r"""
Any three characters in a row look right, because they did stand in the text; the whole leads nowhere, because by the end of a word its beginning is forgotten. To remember more, a model has to see all that came before. Self-attention of 3a can, as long as it doesn't peep at what comes after.
"""

# %% [markdown] lang="zh"
r"""
## 4b.2 练习：整个模型，写成一个函数

GPT 从头到尾只有四步。形状先在纸上走一遍：

```text
token_ids (B, T)            token_table (V, D)     position_table (P, D)
      │ 查表 ─────────────────────┘                        │ 第 0 … T-1 行
  (B, T, D) ─────────────────── + ─────────────────────────┘
      │ 第 1 块，掩码 (B, T, T)
      │   ...
      │ 第 L 块，掩码 (B, T, T)
  (B, T, D)
      │ 跟 token_table 的每一行做点积
  (B, T, V)    位置 t：给第 t + 1 个词元打分
```

- **块还是编码器的块**（3b 的 `EncoderBlock`）。没有别的句子可看，所以没有交叉注意力（cross-attention）；让它成为“解码器”的，只是那张掩码。
- **输出层没有自己的参数**：最后的状态跟词元嵌入表的每一行做点积，谁的点积大，谁就更可能是下一个词元。查表进来，也用同一张表出去，这叫权重共享（tied weights）。
- 掩码要把两件事合起来：不看后文，也不看填充。`causal_mask(length)` 和 `combine_masks(padding_mask, attention_mask)` 是 3a 写过的，已经导入：前者返回布尔 (T, T)，后者返回布尔 (B, T, T)，两样都是 `True` 的地方才是 `True`。

写 `gpt_logits(token_ids, padding_mask, token_table, position_table, blocks)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `token_ids` | (B, T) | 整数 |
| `padding_mask` | (B, T) | 布尔，`True` = 真词元 |
| `token_table` | (V, D) | 浮点；查表用它，打分也用它 |
| `position_table` | (P, D) | 浮点，P ≥ T；第 t 个位置用第 t 行，从 0 数起 |
| `blocks` | 列表 | 每个块 `block(x, attention_mask=mask)` 返回一对：输出（形状同 `x`）和权重；列表可以是空的 |

- 词元与位置相加，不乘系数，不做归一化，不加 dropout。
- 掩码是布尔的，`True` = 可以看，能广播到 (B, T, T)。谁也不看填充，**不管填充站在哪里**：右边、左边、中间都一样；位置一律从第 0 列数起，填充也占一个位置。
- **返回** (B, T, V) 的 logits，dtype 与 `token_table` 相同；位置 t 给第 t + 1 个词元打分。填充位置上的数不检查。
- 打分就是点积：不缩放，没有偏置，前面也没有激活函数。梯度要从**两条路**回到 `token_table`：查表的路和打分的路。
- 训练时批次大小还不知道（`token_ids.shape[0]` 是 `None`），T 知道。只用 `ops`，不需要检查参数。
"""

# %% [markdown] lang="en"
r"""
## 4b.2 Exercise: the whole model in one function

GPT takes four steps from end to end. Walk through the shapes on paper first:

```text
token_ids (B, T)            token_table (V, D)     position_table (P, D)
      │ look up rows of ──────────┘                        │ rows 0 … T-1
  (B, T, D) ─────────────────── + ─────────────────────────┘
      │ block 1, mask (B, T, T)
      │   ...
      │ block L, mask (B, T, T)
  (B, T, D)
      │ dot product with every row of token_table
  (B, T, V)    position t: scores of token t + 1
```

- **The blocks are the encoder's** (`EncoderBlock` of 3b). There is no other sentence to look at, hence no cross-attention; what makes this stack a "decoder" is its mask alone.
- **The output has no weights of its own**: the last states are compared with every row of the token table by a dot product, and the larger it is, the likelier that token comes next. Tokens enter by the table and leave by the same table; that is what tied weights means.
- The mask joins two things: no look at what follows, no look at padding. `causal_mask(length)` and `combine_masks(padding_mask, attention_mask)` are those of 3a and imported already: the first returns bool (T, T), the second bool (B, T, T), `True` where both are.

Write `gpt_logits(token_ids, padding_mask, token_table, position_table, blocks)`:

| Argument | Shape | Notes |
|---|---|---|
| `token_ids` | (B, T) | ints |
| `padding_mask` | (B, T) | bool, `True` = a real token |
| `token_table` | (V, D) | float; to look tokens up and to score them |
| `position_table` | (P, D) | float, P ≥ T; position t takes row t, counted from 0 |
| `blocks` | a list | each `block(x, attention_mask=mask)` returns the pair of its output (shape of `x`) and its weights; the list may be empty |

- Token and position are added: no factor, no norm, no dropout.
- The mask is boolean, `True` = may look, and broadcasts to (B, T, T). Nobody looks at padding, **wherever it stands**: on the right, on the left or in the middle; positions always count the columns from 0, pads included.
- **Returns** logits (B, T, V), dtype of `token_table`; position t scores token t + 1. What stands at pads is not looked at.
- Scoring is a dot product: no scale, no bias, and no activation before it. The gradient has to reach `token_table` by **both** roads, looking up and scoring.
- In training the batch size is unknown (`token_ids.shape[0]` is `None`), T is known. Use `ops` only; you needn't check the arguments.
"""

# %% exercise="gpt_logits"
from bert_keras.models.gpt_pieces import gpt_logits

# %% check="gpt_logits"
check("gpt_logits", gpt_logits)

# %% [markdown] lang="zh"
r"""
**看一看：谁能影响谁？** 用几个没训练过的块，一次换掉一个词元，看哪些位置的 logits 动了。行是位置，列是被换掉的词元，方块是“动了”，空着是“没动”。第 2 列和第 5 列是填充，一个夹在中间，一个靠近末尾；因果掩码管不到它们后面的位置，能遮住它们的只有 `padding_mask`。先猜图的样子，再运行：哪几列会空一大截？
"""

# %% [markdown] lang="en"
r"""
**See it: who can move whom?** With some untrained blocks, swap one token at a time and see at which positions the logits move. Rows are positions, columns the token that was swapped; a square is "moved", an empty place "not moved". Columns 2 and 5 are padding, with real tokens behind them: from these the causal mask doesn't hide them, only `padding_mask` does. Guess the picture first: which columns will be empty where others aren't?
"""

# %% tags=["experiment"]
if ready("gpt_logits"):
    keras.utils.set_random_seed(1)
    some_blocks = [EncoderBlock(2, 16, 32, dropout=0.0) for _ in range(2)]
    rng = np.random.default_rng(1)
    some_tokens, some_places = tensor(rng.normal(size=(20, 16))), tensor(rng.normal(size=(9, 16)))
    few_ids = np.arange(1, 8)[None]
    few_mask = np.array([[True, True, False, True, True, False, True]])
    before = gpt_logits(few_ids, few_mask, some_tokens, some_places, some_blocks)
    moved = np.zeros((7, 7))
    for s in range(7):
        swapped = few_ids.copy()
        swapped[0, s] = 15
        after = gpt_logits(swapped, few_mask, some_tokens, some_places, some_blocks)
        moved[:, s] = np.abs(np.asarray(after) - np.asarray(before))[0].max(axis=-1) > 1e-6
    names = [f"{t}" if is_real else f"{t} pad" for t, is_real in enumerate(few_mask[0])]
    moved[~few_mask[0]] = 0  # what stands at pads is not looked at
    words = chart_words(LANG)
    with chart(1, width=4.2, height=3.4) as (axis,):
        at, swapped_at = np.nonzero(moved)
        axis.scatter(swapped_at, at, marker="s", s=220, color=COLOURS[0], zorder=3)
        axis.set(xlim=(-0.6, 6.6), ylim=(6.6, -0.6))
        axis.set_xticks(range(7), names)
        axis.set_yticks(range(7), names)
        axis.set_xlabel(words("换掉的词元", "token that was swapped"))
        axis.set_ylabel(words("看哪个位置的 logits", "logits at position"))

# %% [markdown] lang="zh"
r"""
真词元的那几行是一个左下三角：位置 t 只受第 0 到第 t 个词元影响，换后面的词元，前面的 logits 纹丝不动。填充的两列整列空着：写成什么编号，都影响不到真词元。（填充的两行没有画：那里的数不检查。）正因如此，**一句话里的每个位置可以同时拿来训练**：谁都没看见自己要预测的那个词元。
"""

# %% [markdown] lang="en"
r"""
The rows of real tokens make a lower triangle: position t depends on tokens 0 to t, and swapping a later one leaves earlier logits untouched. The two columns of padding are empty from top to bottom: real tokens don't care which ids are written there. (The two rows of padding aren't drawn: what stands there is not looked at.) That is why **all positions of a sentence can be trained at once**: none has seen the token that it has to predict.
"""

# %% [markdown] lang="zh"
r"""
## 4b.3 练习：语言模型的损失

位置 t 的 logits 预测的是第 t + 1 个词元。所以算损失之前，logits 和词元要**错开一格**：logits 去掉最后一个位置（它后面没有词元了），词元去掉第一个（没有谁来预测它）。

```text
token_ids      [BOS]    猫      睡     [EOS]   pad
logits 的位置    0       1       2       3      4
                 ╲       ╲       ╲       ╲
要预测的                猫      睡     [EOS]   pad
算不算                   ✓       ✓       ✓      ✗
```

**手算一遍。** 一句只有三个词元，要预测的是后两个。模型给第一个答案的概率是 $1/2$，给第二个的是 $1/4$，损失就是 $(\ln 2 + \ln 4) / 2 = 1.04$ 奈特（nat），困惑度（perplexity）是 $e^{1.04} = 2.83$。

写 `causal_lm_loss(logits, token_ids, padding_mask)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `logits` | (B, T, V) | 浮点；没有做过 softmax |
| `token_ids` | (B, T) | 整数；logits 就是从它们算出来的，**没有错开过** |
| `padding_mask` | (B, T) | 布尔，`True` = 算数的词元；`False` 多半是右边的填充，但哪里都可以有 |

- 掩码是 `True` 的词元都要预测，第 0 列除外：没有谁来预测它。**算不算，只看这个词元自己那一格掩码，不看编号，也不看左右**：有的模型拿 [EOS] 的编号来填充，真正的 [EOS] 照样要预测，不然模型永远学不会停；4b.6 只想算模型自己写的字，就把开头那几格写成 `False`。
- 一行一行地错开：前一行的最后一个位置，不去预测后一行的第一个词元。
- **返回**一个数，float32，形状 ()：整批里所有要预测的词元的交叉熵之和，除以它们的个数，单位是奈特。不是先在每行里平均，再对行平均。
- 一批里一个要预测的词元都没有，返回 0，不能是 NaN。
- logits 相差上百时也要稳当。只用 `ops`；交叉熵可以用 `ops.log_softmax` 自己取，也可以用 `ops.sparse_categorical_crossentropy`。不需要检查参数。
"""

# %% [markdown] lang="en"
r"""
## 4b.3 Exercise: the loss of a language model

The logits at position t predict token t + 1. So before the loss is taken, logits and tokens are **shifted by one**: the logits lose their last position, which no token follows, and the tokens lose their first, which nothing predicts.

```text
token_ids      [BOS]   cats   sleep   [EOS]   pad
logits at        0       1       2       3      4
                 ╲       ╲       ╲       ╲
scored against          cats   sleep   [EOS]   pad
counts                   ✓       ✓       ✓      ✗
```

**Once by hand.** A sentence of three tokens has two to predict. The model gave the first a probability of $1/2$ and the second $1/4$, so the loss is $(\ln 2 + \ln 4) / 2 = 1.04$ nats, and the perplexity $e^{1.04} = 2.83$.

Write `causal_lm_loss(logits, token_ids, padding_mask)`:

| Argument | Shape | Notes |
|---|---|---|
| `logits` | (B, T, V) | float; before any softmax |
| `token_ids` | (B, T) | ints; what the logits were computed from, **not shifted yet** |
| `padding_mask` | (B, T) | bool, `True` = a token that counts; `False` is padding on the right as a rule, but may stand anywhere |

- Every token where the mask is `True` is to be predicted, except in column 0, which nothing predicts. **Whether a token counts is up to its own cell of the mask, not to its id or its neighbours**: some models fill up with the id of [EOS], and the real [EOS] has to be predicted all the same, or the model never learns to stop; and 4b.6, which wants the loss of what the model wrote itself, sets the cells of the beginning to `False`.
- Shift row by row: the last position of one row doesn't predict the first token of the next.
- **Returns** one number, float32 of shape (): the sum of the cross-entropies of all tokens of the batch that are to be predicted, divided by their number, in nats. Not a mean of the rows' means.
- A batch with nothing to predict gives 0, never NaN.
- It has to be stable for logits hundreds apart. Use `ops` only; for the cross-entropy take `ops.log_softmax` and pick, or `ops.sparse_categorical_crossentropy`. You needn't check the arguments.
"""


# %% exercise="causal_lm_loss"
def causal_lm_loss(logits, token_ids, padding_mask):
    """Average the cross-entropy of every token that counts, given those before it.

    Here, and nowhere else, labels are shifted: the logits at position t are compared with token
    t + 1. What counts is the mask, not the id. A batch with nothing to predict gives 0.

    Args:
        logits: float tensor of shape (B, T, V).
        token_ids: int tensor of shape (B, T), what the logits were computed from.
        padding_mask: bool tensor of shape (B, T), True at tokens that count.

    Returns:
        float32 tensor of shape (), in nats.
    """
    ### BEGIN SOLUTION
    token_ids = ops.convert_to_tensor(token_ids)
    log_shares = ops.log_softmax(ops.cast(logits[:, :-1], "float32"), axis=-1)  # (B, T - 1, V)
    right = ops.expand_dims(token_ids[:, 1:], axis=-1)  # (B, T - 1, 1)
    surprise = -ops.take_along_axis(log_shares, right, axis=-1)[..., 0]  # (B, T - 1)
    is_real = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    return ops.sum(surprise * is_real) / ops.maximum(ops.sum(is_real), 1.0)
    ### END SOLUTION


# %% check="causal_lm_loss"
check("causal_lm_loss", causal_lm_loss)

# %% [markdown] lang="zh"
r"""
**看一看。** 三个假模型：对什么都打一样的分；给**当前**词元打高分（复读机）；给**下一个**词元打高分（先知）。词表有 50 个词元。三个损失各是多少，先猜。
"""

# %% [markdown] lang="en"
r"""
**See it.** Three fake models: one scores everything alike; one gives a high score to the **current** token (a parrot); one to the **next** (a prophet). There are 50 tokens. Guess the three losses first.
"""

# %% tags=["experiment"]
if ready("causal_lm_loss"):
    fake_ids = np.random.default_rng(2).integers(0, 50, (4, 12))
    everything = np.ones((4, 12), bool)
    fakes = {
        text("一视同仁", "all alike"): np.zeros((4, 12, 50)),
        text("复读机", "parrot"): 12 * np.eye(50)[fake_ids],
        text("先知", "prophet"): 12 * np.eye(50)[np.roll(fake_ids, -1, axis=1)],
    }
    for name, fake_logits in fakes.items():
        loss = float(causal_lm_loss(tensor(fake_logits), fake_ids, everything))
        print(f"{name}  {loss:.3f}")
    print("ln 50 =", round(math.log(50), 3))

# %% [markdown] lang="zh"
r"""
一视同仁的损失是 $\ln V$，刚开始训练的模型就该在它附近；要是远高于它，或者一上来就远低于它，先查错。忘了错开，复读机就成了“先知”：损失一路降到接近 0，模型却什么也没学到，写出来的全是重复。**损失低得可疑，先查有没有错开。**
"""

# %% [markdown] lang="en"
r"""
To score all alike costs $\ln V$, and that is about where a model begins; if yours begins far above it, or far below, look for a bug. Forget the shift, and the parrot becomes a "prophet": the loss falls to nearly 0, the model has learnt nothing, and what it writes is one long repetition. **If a loss is too good to be true, look at the shift.**
"""

# %% [markdown] lang="zh"
r"""
## 4b.4 用一用：训练一个小 GPT

你的两个函数已经是一个完整的语言模型了，只差几张表和几个块来装参数。下面的 `TinyGPT` 装好它们：两个块，每个词元 64 个数。4b.9 还要用它做分类，所以词表末尾多留几行给记号和类别，训练语言模型时用不着。

**先猜，再运行。**（1）第一步的损失大约是多少？（2）训练一遍左右，测试句上的困惑度，比在同样的文字上数出来的三元模型低，还是高？训练要半分钟左右，电脑慢或者忙，就得几分钟；每 100 步报一次进度。
"""

# %% [markdown] lang="en"
r"""
## 4b.4 Use it: train a small GPT

Your two functions are a complete language model; what is missing are tables and blocks to hold its weights. `TinyGPT` has them: two blocks, 64 numbers for a token. Since 4b.9 makes a classifier of it, some more rows stand at the end of the table, for marks and classes; the language model has no use for them.

**Predict before you run.** (1) What will the loss of the first step be? (2) After about one pass over the text, is its perplexity on test sentences lower than that of a trigram counted on the same text, or higher? Training takes about half a minute, or a few minutes on a slow or busy computer; every 100 steps a line says how far it is.
"""

# %% tags=["experiment"]
tiny = None  # filled by the next cell
CLASSES = 10
EXTRA = ("[DELIM]", "[EXTRACT]", *range(CLASSES))


class TinyGPT(keras.Model):
    """Your `gpt_logits` and `causal_lm_loss`, with weights to train."""

    def __init__(self, num_tokens, max_length, num_layers=2, num_heads=4, hidden_dim=64):
        super().__init__()

        def table(rows, name):
            start = keras.initializers.RandomNormal(stddev=0.02)
            return self.add_weight(shape=(rows, hidden_dim), initializer=start, name=name)

        self.token_table = table(num_tokens, "token_table")
        self.position_table = table(max_length, "position_table")
        self.blocks = [
            EncoderBlock(num_heads, hidden_dim, 4 * hidden_dim, dropout=0.0)
            for _ in range(num_layers)
        ]

    def call(self, inputs):
        tables = self.token_table, self.position_table
        return gpt_logits(inputs["token_ids"], inputs["padding_mask"], *tables, self.blocks)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return causal_lm_loss(y_pred, x["token_ids"], x["padding_mask"])


def padded(sequences, length=LENGTH):
    """Sequences as one dict of arrays, all of one length."""
    return pad_task_inputs([list(map(int, ids)) for ids in sequences], length=length)


def ids_of(sentence):
    return [data.vocabulary.get(character, UNK) for character in sentence]


def at_extract(lines):
    """Logits of the rows for classes, in the last real place of every line."""
    arrays = padded(lines)
    last = arrays["padding_mask"].sum(axis=1) - 1
    return tiny.predict_on_batch(arrays)[np.arange(len(lines)), last, -CLASSES:]


def in_batches(arrays, size=32):
    """Whole batches, in order; what is left over is dropped."""
    for start in range(0, len(arrays["token_ids"]) - size + 1, size):
        yield {name: array[start : start + size] for name, array in arrays.items()}


def perplexity(model, arrays):
    """e to the mean loss per token: every batch counts by its tokens, not as one batch."""
    total = count = 0
    for batch in in_batches(arrays):
        tokens = int(batch["padding_mask"][:, 1:].sum())
        loss = causal_lm_loss(model(batch), batch["token_ids"], batch["padding_mask"])
        total, count = total + tokens * float(loss), count + tokens
    return math.exp(total / count)


def without_last(arrays):
    """The same lines, but the last real token, [EXTRACT], doesn't count."""
    counts = arrays["padding_mask"].sum(axis=1, keepdims=True)
    shorter = np.arange(arrays["padding_mask"].shape[1]) < counts - 1
    return {**arrays, "padding_mask": shorter}


# %% tags=["experiment"]
if data and ready("gpt_logits", "causal_lm_loss"):
    pieces = [p for ids in train_ids for p in language_data.pieces(ids, LENGTH)]
    test_pieces = [p for ids in data.splits["test"] for p in language_data.pieces(ids, LENGTH)]
    train_arrays, test_arrays = padded(pieces), padded(test_pieces)
    STEPS = 500

    keras.utils.set_random_seed(0)
    tiny = TinyGPT(len(tokens_of_id) + len(EXTRA), LENGTH)
    tiny(padded([[BOS]]))
    fresh = tiny.get_weights()  # to begin from scratch once more in 4b.9
    rate = keras.optimizers.schedules.CosineDecay(0.0, STEPS, warmup_target=4e-3, warmup_steps=50)
    tiny.compile(optimizer=keras.optimizers.Adam(rate, clipnorm=1.0))
    rng = np.random.default_rng(0)
    order = np.concatenate([rng.permutation(len(pieces)) for _ in range(3)])
    losses, on_test = [], {}
    for step in range(STEPS):
        rows = order[32 * step : 32 * (step + 1)]
        losses.append(float(tiny.train_on_batch({k: v[rows] for k, v in train_arrays.items()})))
        if (step + 1) % 100 == 0:
            on_test[step + 1] = perplexity(tiny, test_arrays)
            say(
                f"第 {step + 1} 步，测试句的困惑度 {on_test[step + 1]:.1f}",
                f"step {step + 1}, perplexity on test sentences {on_test[step + 1]:.1f}",
            )
    say(
        f"第一步的损失 {losses[0]:.2f}，ln V = {math.log(len(tokens_of_id)):.2f}；"
        f"看过 {32 * STEPS / len(pieces):.1f} 遍文字",
        f"loss of the first step {losses[0]:.2f}, ln V = {math.log(len(tokens_of_id)):.2f}; "
        f"the text was read {32 * STEPS / len(pieces):.1f} times",
    )
    of_tiny = on_test[STEPS]
    of_ngrams = language_data.ngram_perplexity(data)
    say(
        f"测试句的困惑度：小 GPT {of_tiny:.1f}，三元模型 {of_ngrams:.1f}",
        f"perplexity on test sentences: small GPT {of_tiny:.1f}, trigram {of_ngrams:.1f}",
    )
    if of_tiny > of_ngrams:
        say("这一回，数数赢了。", "Counting wins this round.")
    else:
        say("这一回，小 GPT 赢了。", "The small GPT wins this round.")

    words = chart_words(LANG)
    with chart(1, width=5.5) as (axis,):
        smooth = np.convolve(losses, np.ones(20) / 20, mode="valid")
        axis.plot(
            np.arange(len(smooth)) + 20,
            smooth,
            color=COLOURS[0],
            label=words("小 GPT，训练（20 步平均）", "small GPT, training (mean of 20)"),
        )
        axis.plot(
            list(on_test),
            np.log(list(on_test.values())),
            color=COLOURS[2],
            marker=MARKERS[2],
            linestyle=STYLES[2],
            label=words("小 GPT，测试", "small GPT, test"),
        )
        axis.axhline(
            math.log(of_ngrams),
            color=COLOURS[1],
            linestyle=STYLES[1],
            label=words("三元模型，测试", "trigram, test"),
        )
        axis.legend(frameon=False)
        axis.set(xlabel=words("步", "step"), ylabel=words("损失（奈特）", "loss (nats)"))

# %% [markdown] lang="zh"
r"""
**读数的时候要公道。** 跟三元模型比的是“测试”那条线：虚线也是在测试句上量的；训练那条线量的是别的句子，它碰不碰虚线，说明不了什么。训练这一会儿，小 GPT 只把这点文字读了一遍左右，而数数读一遍就全记住了。汉字有一千多种，多数字见得不多，小 GPT 还没来得及学会谁跟谁常在一起，数数多半赢；英文的字符只有几十种，常用字母个个见过成千上万回，同样读一遍，结果往往就反过来。困惑度不能跨词元比：按字算的和按词算的不是一回事，中文版的数和英文版的数也不是。

多训练一会儿呢？4b.10 里有存好的结果：同一份报纸，文字更多，模型更大，训练几分钟的 GPT 和 ELMo 的正向语言模型，跟三元模型摆在一起。（文字和词表都不一样，那里的数不能跟这里的直接比。）还想更久，一行命令就行。打开终端，启用课程的环境，进到项目目录（有 `configs` 文件夹的那一层），再输入：

```text
bert-keras train configs/language_gpt_zh.toml
```
"""

# %% [markdown] lang="en"
r"""
**Read it fairly.** What competes with the trigram is the line "test", since the dashed line was measured on test sentences, too; the line of training was measured on other sentences, and whether it meets the dashed one says nothing. The small GPT has read this little text about once, and counting remembers all of it after one pass. English has several dozen characters, and its letters are seen thousands of times each; there the GPT tends to win. Chinese has more than a thousand, most of them rare, and after one pass the model hasn't learnt yet which go together: there counting tends to win. Perplexities of different tokens can't be compared: per character isn't per word, and the Chinese edition's number isn't this one's.

And with more time? 4b.10 has stored results of a longer race, but **in Chinese**: a larger GPT and ELMo's forward language model, trained for minutes on a newspaper, beside a trigram. It is another language with another vocabulary, so don't compare its numbers with yours. To train longer in English, one command will do (it reads the BBC **word by word**, and its perplexities are per word). Open a terminal, activate the course's environment, go to the project's folder (the one with `configs` in it), and type:

```text
bert-keras train configs/language_gpt_en.toml
```
"""

# %% [markdown] lang="zh"
r"""
## 4b.5 练习：抽一个词元

模型给出的是分布，写字却要定下一个词元。总挑最可能的那个（贪心解码），写出来又平又爱重复；照原样抽签，一千个不太可能的词元加起来也不少，隔几个字就抽出一个离谱的。常用的办法有三个，可以连着用：

1. **温度**（temperature）$\tau$：logits 先除以 $\tau$。$\tau < 1$ 更尖，$\tau > 1$ 更平。
2. **top-k**：只留最可能的 k 个。
3. **top-p**（又叫核采样，nucleus sampling）：把词元从最可能的排起，留下最少的几个，使它们的概率加起来**至少**是 p。正好越过 p 的那一个也留下。

分布是 $(0.5, 0.3, 0.15, 0.05)$，手算：

| 设置 | 留下 | 新的概率 |
|---|---|---|
| `top_k=2` | 两个 | $0.625, 0.375$ |
| `top_p=0.9` | 三个：$0.5 + 0.3 = 0.8$ 还不够，第三个越过了 0.9 | $0.526, 0.316, 0.158$ |
| `top_k=3, top_p=0.6` | 先留三个，$0.526$ 不够，第二个越过 0.6，留两个 | $0.625, 0.375$ |
| `temperature=0.5` | 四个：每个概率平方，再归一 | $0.685, 0.247, 0.062, 0.007$ |

写 `sample(logits, temperature=1.0, top_k=0, top_p=1.0, seed=None)`，每一行抽一个词元：

| 参数 | 形式 | 说明 |
|---|---|---|
| `logits` | (B, V) 浮点 | 没有做过 softmax |
| `temperature` | 正数 | 不是正数就抛出 `ValueError`（要贪心，用 `top_k=1`） |
| `top_k` | 整数 | 0 = 不用；大于等于 V 也就等于不用 |
| `top_p` | $(0, 1]$ 里的数 | 1 = 不用 |
| `seed` | 整数、`keras.random.SeedGenerator` 或 `None` | 原样交给抽签的函数 |

- 次序固定：先温度，再 top-k，再 top-p；top-p 看的是**前两步之后**的分布，重新归一过的。top-p 至少留下一个词元。
- **返回**整数 (B,)，每行各抽各的：两行 logits 相同，抽出的词元也不必相同。
- 同一个整数种子（seed），抽出同样的词元；`SeedGenerator` 每用一次就往前走，所以下次抽的不同；`None` 每次都不同。
- 抽签用 `keras.random.categorical(logits, 1, seed=seed)`，它返回 (B, 1)；logits 里可以有 `-math.inf`，那些词元抽不到。
- 并列的情形（两个词元一样可能，正好卡在线上）怎样处理都行。
- 检查一次会给几千行：请对整批一起算。一行一行地循环也算对，可是太慢，检查可能等不及就停下。
"""

# %% [markdown] lang="en"
r"""
## 4b.5 Exercise: draw a token

A model gives a distribution, but writing needs a token. Always taking the likeliest one (greedy decoding) makes flat text that likes to repeat itself; drawing from the distribution as it is, the many unlikely tokens add up, and every few characters one of them comes out and ruins the word. Three remedies are common, and can be chained:

1. **temperature** $\tau$: divide the logits by $\tau$ first. $\tau < 1$ sharpens, $\tau > 1$ flattens.
2. **top-k**: keep only the k likeliest.
3. **top-p** (nucleus sampling): order the tokens from the likeliest down, and keep the fewest that have a probability of **at least** p together. The one that crosses p stays.

With the distribution $(0.5, 0.3, 0.15, 0.05)$, by hand:

| Setting | Left | New probabilities |
|---|---|---|
| `top_k=2` | two | $0.625, 0.375$ |
| `top_p=0.9` | three: $0.5 + 0.3 = 0.8$ isn't enough, the third crosses 0.9 | $0.526, 0.316, 0.158$ |
| `top_k=3, top_p=0.6` | three first; $0.526$ isn't enough, the second crosses 0.6, so two | $0.625, 0.375$ |
| `temperature=0.5` | four: square each probability, then normalise | $0.685, 0.247, 0.062, 0.007$ |

Write `sample(logits, temperature=1.0, top_k=0, top_p=1.0, seed=None)`, which draws one token for every row:

| Argument | Form | Notes |
|---|---|---|
| `logits` | (B, V) float | before any softmax |
| `temperature` | a positive number | anything else raises `ValueError` (for greedy, take `top_k=1`) |
| `top_k` | an int | 0 = off; V or more is as good as off |
| `top_p` | a number in $(0, 1]$ | 1 = off |
| `seed` | an int, a `keras.random.SeedGenerator` or `None` | handed on to the draw as it is |

- The order is fixed: temperature, then top-k, then top-p; top-p looks at the distribution that the **first two left**, normalised again. It keeps one token at least.
- **Returns** ints (B,), a draw of its own for every row: two rows with the same logits needn't get the same token.
- The same int as a seed draws the same tokens again; a `SeedGenerator` moves on with every use, so the next draw is another; `None` is another every time.
- For the draw take `keras.random.categorical(logits, 1, seed=seed)`, which returns (B, 1); logits may hold `-math.inf`, and such tokens are never drawn.
- With ties (two tokens equally likely, right at the edge) do as you like.
- The check hands you thousands of rows at a time: work on the whole batch at once. A loop over rows is right as well, but so slow that the check may stop it.
"""


# %% exercise="sample"
def sample(logits, temperature=1.0, top_k=0, top_p=1.0, seed=None):
    """Draw one token for every row, by its probability after sharpening and cutting off.

    The scores are divided by the temperature; then all but the `top_k` likeliest tokens are taken
    out; then, of the distribution over what is left, all but the nucleus: the fewest likeliest
    tokens that have a probability of at least `top_p` together.

    Args:
        logits: float tensor of shape (B, V).
        temperature: float above 0.
        top_k: int, how many tokens are left; 0 leaves all.
        top_p: float, above 0 and at most 1; 1 leaves all.
        seed: int, `keras.random.SeedGenerator` or None, for the draw.

    Returns:
        int tensor of shape (B,).

    Raises:
        ValueError: the temperature is not above 0.
    """
    ### BEGIN SOLUTION
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, not {temperature}")
    logits = ops.cast(logits, "float32") / temperature  # (B, V)
    if 0 < top_k < logits.shape[-1]:
        last_kept = ops.top_k(logits, top_k)[0][:, -1:]  # (B, 1)
        logits = ops.where(logits >= last_kept, logits, -math.inf)
    if top_p < 1:
        shares = ops.softmax(logits, axis=-1)  # (B, V), of what is left
        falling = ops.flip(ops.sort(shares, axis=-1), axis=-1)  # (B, V), the likeliest first
        before = ops.cumsum(falling, axis=-1) - falling  # what all likelier tokens have together
        last_kept = ops.min(ops.where(before < top_p, falling, 1.0), axis=-1, keepdims=True)
        logits = ops.where(shares >= last_kept, logits, -math.inf)
    return keras.random.categorical(logits, 1, seed=seed)[:, 0]  # (B,)
    ### END SOLUTION


# %% check="sample"
check("sample", sample)

# %% [markdown] lang="zh"
r"""
**看一看。** 先跟手算的表对一对：同一行 logits 抽 4000 次，数一数。再看小 GPT 读完一个开头之后，下一个字的分布怎么变。图里不靠抽签，画的是精确的概率（由库里的函数算出）：横轴是按可能性排的名次，1 是最可能的；两根轴都是对数刻度，三幅图刻度相同。带记号的一头，就是砍断的地方；小于百万分之一的没有画。
"""

# %% [markdown] lang="en"
r"""
**See it.** First compare with the table done by hand: draw 4000 times from one row of logits, and count. Then let the small GPT read a beginning, and see what becomes of its distribution for the next character. Nothing is drawn at random for these pictures; the probabilities are exact (the library computes them). Across are the ranks, 1 being the likeliest; both axes are logarithmic, and the three pictures have the same ones. A line that ends in a marker was cut off there; below one in a million nothing is shown.
"""

# %% tags=["experiment"]
from bert_keras.generation import truncate_logits

SETTINGS = {
    "as it is": {},
    "temperature=0.5": {"temperature": 0.5},
    "temperature=2": {"temperature": 2.0},
    "top_k=5": {"top_k": 5},
    "top_p=0.8": {"top_p": 0.8},
    "top_k=1": {"top_k": 1},
}
BEGINNING = {"zh": "中国", "en": "The "}[LANG]


def shares_drawn(logits, draws=4000, **options):
    """How often each token comes out."""
    many = ops.repeat(ops.reshape(tensor(logits), (1, -1)), draws, axis=0)
    found = np.asarray(sample(many, seed=0, **options))
    return np.bincount(found, minlength=len(logits)) / draws


def shares_left(logits, **options):
    """Exact probabilities, the likeliest first, of the tokens that are left."""
    shares = np.asarray(ops.softmax(truncate_logits(tensor(logits), **options), axis=-1))
    return np.sort(shares[shares > 0])[::-1]


if ready("sample"):
    by_hand = np.log([0.5, 0.3, 0.15, 0.05])
    for options in (
        {"top_k": 2},
        {"top_p": 0.9},
        {"top_k": 3, "top_p": 0.6},
        {"temperature": 0.5},
    ):
        print(np.round(shares_drawn(by_hand, **options), 3), options)

if tiny and ready("sample"):
    start = [BOS, *ids_of(BEGINNING)]
    next_logits = tiny.predict_on_batch(padded([start]))[0, len(start) - 1]
    next_logits = next_logits[: len(tokens_of_id)]
    ranks = np.argsort(-next_logits)[:12]
    print(BEGINNING, "→", "  ".join(tokens_of_id[i] for i in ranks))
    words = chart_words(LANG)
    with chart(3, width=3.4, height=3.2) as axes:
        shown = (
            ("as it is", "temperature=0.5", "temperature=2"),
            ("as it is", "top_k=5"),
            ("as it is", "top_p=0.8"),
        )
        for axis, names in zip(axes, shown):
            for i, name in enumerate(names):
                label = words("原样", "as it is") if name == "as it is" else name
                left = shares_left(next_logits, **SETTINGS[name])
                axis.loglog(
                    np.arange(1, len(left) + 1),
                    left,
                    color=COLOURS[i],
                    linestyle=STYLES[i],
                    label=label,
                )
                if len(left) < len(next_logits):  # the rest was cut off
                    axis.plot(len(left), left[-1], color=COLOURS[i], marker=MARKERS[i])
            axis.set(xlabel=words("名次", "rank"), ylim=(1e-6, 1.5))
            axis.legend(frameon=False, loc="lower left", fontsize=9)
        axes[0].set_ylabel(words("概率", "probability"))
    for name in ("top_k=5", "top_p=0.8"):
        left = len(shares_left(next_logits, **SETTINGS[name]))
        say(
            f"{name}：{len(tokens_of_id)} 个词元里留下 {left} 个",
            f"{name}: {left} of {len(tokens_of_id)} tokens are left",
        )

# %% [markdown] lang="zh"
r"""
温度不改变名次，只改变差距；top-k 和 top-p 砍掉尾巴，剩下的都乘上同一个倍数（在对数刻度上，就是整条线往上平移）。两者的差别在于：top-k 留几个是固定的，top-p 看分布：模型有把握时只留一两个，没把握时留一大片。
"""

# %% [markdown] lang="en"
r"""
Temperature keeps the order of tokens and changes their distances; top-k and top-p cut off the tail, and what is left is all multiplied by one factor (with logarithmic axes, the line moves up as a whole). The difference between the two: top-k always leaves the same number, top-p goes by the distribution, and leaves one or two where the model is sure, and many where it isn't.
"""

# %% [markdown] lang="zh"
r"""
## 4b.6 用一用：让它写

写的办法就是 4b.1 的办法：抽一个，接上，再抽。只是现在每一步都看得见整个上文。**先猜**：哪一种写法最爱重复？哪一种最离谱？

每一种写法都打印两个数。“不同”：写出来的三字组里，不重样的占几成。“意外”：模型自己写的字，照没有砍过的原分布看，平均每个字的损失（奈特）。
"""

# %% [markdown] lang="en"
r"""
## 4b.6 Use it: let it write

Writing works as in 4b.1: draw a token, put it behind, draw again; only that every step now sees all that came before. **Predict:** which setting repeats itself most, and which is the wildest?

Two numbers are printed for every setting. "different": how many of the groups of three characters that were written are distinct, as a share; 1.00 is no repetition. "surprise": the mean loss (in nats) of the characters that the model has written itself, by the distribution before any cutting.
"""


# %% tags=["experiment"]
def write(beginning, length, rows=3, seed=0, **options):
    """Write on after a beginning, with your `sample`; returns a list of lists of ids."""
    known = [BOS, *ids_of(beginning)]
    lines, has_ended = padded([known] * rows), np.zeros(rows, bool)
    draws = keras.random.SeedGenerator(seed)
    for t in range(len(known), length):
        logits = tiny.predict_on_batch(lines)[:, t - 1, : len(tokens_of_id)]
        logits[:, [0, UNK, BOS]] = -1e9  # never write padding, a rare character or a beginning
        drawn = np.asarray(sample(tensor(logits), seed=draws, **options))
        lines["token_ids"][:, t] = np.where(has_ended, 0, drawn)
        lines["padding_mask"][:, t] = ~has_ended
        has_ended |= drawn == EOS
    return [ids[mask].tolist() for ids, mask in zip(lines["token_ids"], lines["padding_mask"])]


if tiny and ready("sample"):
    written = {}
    for name, options in SETTINGS.items():
        written[name] = write(BEGINNING, LENGTH, **options)
        lines = padded(written[name])
        own = lines["padding_mask"] & (np.arange(LENGTH) > len(BEGINNING))  # what it wrote
        surprise = causal_lm_loss(tensor(tiny.predict_on_batch(lines)), lines["token_ids"], own)
        distinct = [{tuple(ids[t : t + 3]) for t in range(len(ids) - 2)} for ids in written[name]]
        different = sum(map(len, distinct)) / sum(len(ids) - 2 for ids in written[name])
        say(
            f"{name}  不同 {different:.2f}  意外 {float(surprise):.2f}",
            f"{name}  different {different:.2f}  surprise {float(surprise):.2f}",
        )
        for ids in written[name][: 1 if name == "top_k=1" else 2]:
            print("   ", words_of(ids))

# %% [markdown] lang="zh"
r"""
`top_k=1` 就是贪心：意外通常最小，也就是说，模型自己最满意；可是它写出来的话单调，还爱绕圈子。温度 2 的意外最大，写的已经不成话。相比之下，中间几种好一些。所以，**一段话让模型多满意，不等于它写得多好**，人写的话也不是处处都选最可能的那个字（[Holtzman 等 2020](https://arxiv.org/abs/1904.09751)）。

每写一个字都要把整个上文重算一遍，太浪费：3c 的加分题“键值缓存”就是为它准备的，库里的 `GPTLanguageModel.generate` 也这样做。
"""

# %% [markdown] lang="en"
r"""
`top_k=1` is greedy: it usually has the smallest surprise, that is, it pleases the model best; but it is monotonous and likes to go round in circles. Temperature 2 has the largest surprise and is hardly language any more. Those in between are better by comparison. So **how much a text pleases the model is not how good it is**; people don't choose the likeliest word at every step either ([Holtzman et al. 2020](https://arxiv.org/abs/1904.09751)).

For each new character everything before it is computed again, which is a waste: the stretch exercise on a cache of keys and values in 3c was made for this, and the library's `GPTLanguageModel.generate` works that way.
"""

# %% [markdown] lang="zh"
r"""
## 4b.7 练习：四种任务，一种输入

语言模型只会做一件事：从左往右读一行词元。GPT 的主意是让任务来迁就模型：把任务写成一行，两段文字之间放一个**分隔记号**，末尾放一个**提取记号** [EXTRACT]。模型读到最后一格时，整行都看过了；那一格的状态乘一个矩阵，就是答案。不用为任务另搭网络，新添的参数只有这个矩阵和几个记号的嵌入。

| 任务 | 一行，或者几行 | 怎么读答案 |
|---|---|---|
| 分类 | 开始 文字 提取 | 最后一格 |
| 蕴含（前提能推出假设吗） | 开始 前提 分隔 假设 提取 | 最后一格 |
| 相似（两句是一个意思吗） | 开始 甲 分隔 乙 提取；开始 乙 分隔 甲 提取 | 两行最后一格的状态**相加** |
| 选择题 | 每个答案一行：开始 上文 分隔 答案 提取 | 每行一个分数，softmax 在答案之间做 |

四个函数都收整数列表，返回新的整数列表。`marks` 有三个整数属性：`marks.begin`、`marks.delimiter`、`marks.extract`。两个小工具已经导入，用不用随你：

- `room_for_texts(max_length, num_marks, wanted)`：整行最多 `max_length` 个词元，其中 `num_marks` 个是记号，文字一共 `wanted` 个；返回留给文字的位置数。`max_length` 是 0 就返回 `wanted`；连记号都放不下就抛出 `ValueError`。
- `truncate_pair(first, second, budget)`：从**长**的那一段的末尾一个一个地裁，直到两段合起来不超过 `budget`；一样长时裁第二段。返回裁好的一对。

共同的约定：`max_length` 算的是**整行**，连记号在内，0 = 不限。**先裁文字，再加记号**，不然裁掉的正好是提取记号。`max_length` 恰好等于记号的个数也行，那就一个字也不剩；再小就抛出 `ValueError`。文字可以是空的。传进来的列表别改动。

### 分类

写 `classification_input(text, marks, max_length=0)`：

- `text`：整数列表。放不下就从末尾裁。
- **返回**整数列表：begin、文字、extract。
"""

# %% [markdown] lang="en"
r"""
## 4b.7 Exercises: four kinds of tasks, one kind of input

A language model can do one thing: read a line of tokens from left to right. GPT's idea is to make the task fit the model: write it as one line, with a **delimiter** between two texts and a mark [EXTRACT] at the end. At the last position the model has seen the whole line; its state there, times a matrix, is the answer. No task needs a network of its own; all that is new are this matrix and the embeddings of some marks.

| Task | One line, or several | Where the answer is read |
|---|---|---|
| classification | begin, text, extract | the last position |
| entailment (does the hypothesis follow from the premise?) | begin, premise, delimiter, hypothesis, extract | the last position |
| similarity (do two texts say the same?) | begin, A, delimiter, B, extract; begin, B, delimiter, A, extract | the **sum** of the states at both last positions |
| multiple choice | a line for each answer: begin, context, delimiter, answer, extract | one score for each line, softmax over the answers |

All four functions take lists of ints and return new lists of ints. `marks` has three ints as attributes: `marks.begin`, `marks.delimiter`, `marks.extract`. Two little tools are imported, to use or not:

- `room_for_texts(max_length, num_marks, wanted)`: a line has at most `max_length` tokens, `num_marks` of them are marks, and there are `wanted` tokens of texts; it returns how many places are left for texts. With a `max_length` of 0 it returns `wanted`; where not even the marks fit it raises `ValueError`.
- `truncate_pair(first, second, budget)` takes tokens from the end of the **longer** text, one by one, until both together have at most `budget`; of two equally long ones the second is cut. It returns the pair.

What they have in common: `max_length` counts the **whole line**, marks included, and 0 = no limit. **Cut the texts first, then add the marks**, or what is cut off is just the mark at the end. A `max_length` that equals the number of marks is allowed and leaves no text at all; a smaller one raises `ValueError`. Texts may be empty. Don't change the lists that you are handed.

### Classification

Write `classification_input(text, marks, max_length=0)`:

- `text`: a list of ints, cut at its end where it doesn't fit.
- **Returns** a list of ints: begin, the text, extract.
"""

# %% exercise="classification_input"
from bert_keras.text.task_inputs import classification_input

# %% check="classification_input"
check("classification_input", classification_input)

# %% [markdown] lang="zh"
r"""
### 蕴含

写 `entailment_input(premise, hypothesis, marks, max_length=0)`：

- `premise`、`hypothesis`：整数列表，次序就是这个次序：能从前者推出后者吗？反过来是另一个问题。
- 放不下时，照 `truncate_pair` 的办法裁：从长的那一段的末尾裁，一样长时裁假设。
- **返回**整数列表：begin、前提、delimiter、假设、extract。
- `marks`、`max_length` 同上；记号有三个。
"""

# %% [markdown] lang="en"
r"""
### Entailment

Write `entailment_input(premise, hypothesis, marks, max_length=0)`:

- `premise`, `hypothesis`: lists of ints, in this order: does the second follow from the first? The other way round is another question.
- Where they don't fit, cut as `truncate_pair` does: at the end of the longer one, and of two equally long ones the hypothesis.
- **Returns** a list of ints: begin, the premise, delimiter, the hypothesis, extract.
- `marks` and `max_length` as above; there are three marks.
"""

# %% exercise="entailment_input"
from bert_keras.text.task_inputs import entailment_input

# %% check="entailment_input"
check("entailment_input", entailment_input)

# %% [markdown] lang="zh"
r"""
### 相似

“甲和乙是一个意思吗”，没有先后。可模型从左往右读，先读甲和先读乙是两回事；所以两种次序都给它，两个状态相加，谁先谁后就无所谓了。

写 `similarity_input(first, second, marks, max_length=0)`：

- `first`、`second`：整数列表，地位相同。
- 裁法也要不分先后，**两行用的是同样裁过的两段**：设留给文字的位置有 R 个（R = `max_length` − 3）。合起来不超过 R 就不裁。放不下时：两段都比 `R // 2` 长，就都裁成 `R // 2` 个（R 是奇数时空着一个位置，谁也不占便宜）；不然，只有一段比 `R // 2` 长，就只从它的末尾裁，裁到放得下。
- **返回**两个列表的列表：先是 begin、first、delimiter、second、extract，再是调换了次序的一行。
- `marks`、`max_length` 同上。`entailment_input` 可以用（检查时换成标准答案）。
"""

# %% [markdown] lang="en"
r"""
### Similarity

"Do A and B say the same?" knows no order. But the model reads from left to right, and reading A first is not reading B first; so it gets both orders, the two states are added, and it no longer matters which came first.

Write `similarity_input(first, second, marks, max_length=0)`:

- `first`, `second`: lists of ints, of equal rank.
- Cutting mustn't depend on the order either, and **both lines hold the same two texts, cut alike**: let R places be left for texts (R = `max_length` − 3). If both together have no more than R tokens, nothing is cut. Where they don't fit: if both are longer than `R // 2`, both are cut to `R // 2` (an odd R leaves one place empty, to favour nobody); otherwise only one of them is longer than that, and it alone is cut at its end until they fit.
- **Returns** a list of two lists: begin, first, delimiter, second, extract; and then the line with the two texts exchanged.
- `marks` and `max_length` as above. You may use `entailment_input` (in the check it is the reference's).
"""

# %% exercise="similarity_input"
from bert_keras.text.task_inputs import similarity_input

# %% check="similarity_input"
check("similarity_input", similarity_input)

# %% [markdown] lang="zh"
r"""
### 选择题

写 `multiple_choice_input(context, answers, marks, max_length=0)`：

- `context`：整数列表，上文连同问题；`answers`：K 个整数列表。
- 每个答案一行，**每一行都带上完整的上文**；一行一行各裁各的，裁法与蕴含相同：上文当前提，答案当假设。
- **返回** K 个列表的列表，次序同 `answers`。
- `marks`、`max_length` 同上。`entailment_input` 可以用。
"""

# %% [markdown] lang="en"
r"""
### Multiple choice

Write `multiple_choice_input(context, answers, marks, max_length=0)`:

- `context`: a list of ints, the text with its question; `answers`: K lists of ints.
- Each answer makes a line, and **each line has the whole context**; lines are cut one by one, as in entailment: the context is the premise, the answer the hypothesis.
- **Returns** a list of K lists, in the order of `answers`.
- `marks` and `max_length` as above. You may use `entailment_input`.
"""

# %% exercise="multiple_choice_input"
from bert_keras.text.task_inputs import multiple_choice_input

# %% check="multiple_choice_input"
check("multiple_choice_input", multiple_choice_input)

# %% [markdown] lang="zh"
r"""
**看一看。** 把四种输入画成彩条，箭头指着读答案的那一格。最后一组的相似，整行最多 12 个词元。先算一算：每段留下几个字？两行里剩下的字一样吗？一行实际有几个词元？
"""

# %% [markdown] lang="en"
r"""
**See it.** Four inputs as coloured strips, with an arrow at the place where the answer is read. In the last group, similarity, a line has at most 10 tokens. Work it out first: how many words of each text are left, are they the same in both lines, and how many tokens has a line really?
"""

# %% tags=["experiment"]
if ready("classification_input", "entailment_input", "similarity_input", "multiple_choice_input"):
    strip_marks = Marks(0, 1, 2)
    strip_words = [text("始", "begin"), text("隔", "delim"), text("取", "extract")]
    strip_parts = [0, 0, 0]

    def numbered(words, part):
        """Give the words ids of their own, and remember what they look like."""
        strip_words.extend(words)
        strip_parts.extend([part] * len(words))
        return list(range(len(strip_words) - len(words), len(strip_words)))

    if LANG == "zh":
        long, short = "三个学生在花园里跳了舞", "学生跳了舞"
        question, choices = "花园里谁跳了舞？", ("学生", "医生")
    else:
        long = "three students danced in the garden".split()
        short = "some students were dancing".split()
        question, choices = "who danced in the garden ?".split(), (["students"], ["doctors"])
    one, two = numbered(long, 1), numbered(short, 2)
    context, answers = numbered(question, 1), [numbered(choice, 2) for choice in choices]
    most = {"zh": 12, "en": 10}[LANG]
    groups = {
        text("分类", "classification"): [classification_input(one, strip_marks)],
        text("蕴含", "entailment"): [entailment_input(one, two, strip_marks)],
        text("相似", "similarity"): similarity_input(one, two, strip_marks),
        text("选择题", "multiple choice"): multiple_choice_input(context, answers, strip_marks),
        text(f"相似，最长 {most}", f"similarity, at most {most}"): similarity_input(
            one, two, strip_marks, most
        ),
    }
    display(
        task_strips(
            [
                (name, [[(strip_words[i], strip_parts[i]) for i in row] for row in rows])
                for name, rows in groups.items()
            ]
        )
    )

# %% [markdown] lang="zh"
r"""
（最后一组：R = 12 − 3 = 9，两段都比 R // 2 = 4 长，就各留 4 个字，两行里留下的一样；一行实际只有 4 + 4 + 3 = 11 个词元，空着的那一个谁也不占。）

**用一用：一种次序够不够？** 让小 GPT 读相似的两行，看两行最后一格的 logits 差多少；再把甲乙对调，看**相加**以后差多少。（模型还没为这个任务训练过；这里只看一件事：换个次序，数变不变。）
"""

# %% [markdown] lang="en"
r"""
(The last group: R = 10 − 3 = 7, and both texts are longer than R // 2 = 3, so each keeps 3 words, the same in both lines; a line really has 3 + 3 + 3 = 9 tokens, and nobody gets the place that is left.)

**Use it: is one order enough?** Let the small GPT read the two lines of similarity, and see how far the logits at their last positions are apart; then exchange A and B, and see how far the **sums** are apart. (Nobody has trained the model for this task; the only question is whether the order changes the numbers.)
"""

# %% tags=["experiment"]
if tiny and ready("gpt_logits", "similarity_input"):
    V = len(tokens_of_id)
    MARKS = Marks(BOS, V, V + 1)  # the two rows that stand first among EXTRA

    pair = {
        "zh": ("三个学生在花园里跳了舞", "学生跳了舞"),
        "en": ("three students danced in the garden", "some students were dancing"),
    }[LANG]
    a, b = (ids_of(sentence) for sentence in pair)
    there, back = at_extract(similarity_input(a, b, MARKS))
    other_there, other_back = at_extract(similarity_input(b, a, MARKS))
    one_order = np.abs(there - other_there).max()
    both_orders = np.abs((there + back) - (other_there + other_back)).max()
    say(
        f"甲乙对调：只看一种次序，差 {one_order:.3f}；两种相加，差 {both_orders:.0e}",
        f"A and B exchanged: one order moves by {one_order:.3f}, the sum by {both_orders:.0e}",
    )

# %% [markdown] lang="zh"
r"""
## 4b.8 练习：微调的损失

微调时，任务的损失之外，GPT 还让模型接着预测下一个词元，算作一份副业：

$$L = L_{\text{task}} + \lambda \cdot L_{\text{LM}}, \qquad \lambda = 0.5$$

写 `gpt_finetune_loss(class_logits, labels, lm_logits, token_ids, padding_mask, lm_weight=0.5)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `class_logits` | (B, C) | 浮点；没有做过 softmax |
| `labels` | (B,) | 整数，正确的类别 |
| `lm_logits` | (B, T, V) | 浮点；同一批文字的下一个词元的 logits，没有错开过 |
| `token_ids` | (B, T) | 整数，同一批文字 |
| `padding_mask` | (B, T) | 布尔，`True` = 真词元 |
| `lm_weight` | 数 | 公式里的 λ |

- 任务的损失是交叉熵对 B 段文字的平均；语言模型的损失就是 `causal_lm_loss`（检查时换成标准答案），错开一格在它里面做，这里别再错开。
- λ 只乘语言模型那一项。这里不是两项瓜分一份权重：任务那一项的系数总是 1，不是 1 − λ。
- **返回** float32 的一个数，形状 ()，单位奈特。只用 `ops`。
"""

# %% [markdown] lang="en"
r"""
## 4b.8 Exercise: the loss of fine-tuning

While it is fine-tuned for a task, GPT goes on predicting next tokens, as a side job:

$$L = L_{\text{task}} + \lambda \cdot L_{\text{LM}}, \qquad \lambda = 0.5$$

Write `gpt_finetune_loss(class_logits, labels, lm_logits, token_ids, padding_mask, lm_weight=0.5)`:

| Argument | Shape | Notes |
|---|---|---|
| `class_logits` | (B, C) | float; before any softmax |
| `labels` | (B,) | ints, the right classes |
| `lm_logits` | (B, T, V) | float; the logits of next tokens on the same texts, not shifted |
| `token_ids` | (B, T) | ints, the same texts |
| `padding_mask` | (B, T) | bool, `True` = a real token |
| `lm_weight` | a number | the λ of the formula |

- The task's loss is the cross-entropy, averaged over the B texts; that of the language model is `causal_lm_loss` (in the check it is the reference's), which shifts by itself: don't shift here.
- λ multiplies the language model's part only; the task's part always counts once, not 1 − λ times.
- **Returns** one float32 number of shape (), in nats. Use `ops` only.
"""


# %% exercise="gpt_finetune_loss"
def gpt_finetune_loss(class_logits, labels, lm_logits, token_ids, padding_mask, lm_weight=0.5):
    """Add the loss of a task and a share of the language model's loss on the same texts.

    Args:
        class_logits: float tensor of shape (B, C).
        labels: int tensor of shape (B,), the right classes.
        lm_logits: float tensor of shape (B, T, V), not shifted.
        token_ids: int tensor of shape (B, T).
        padding_mask: bool tensor of shape (B, T), True at real tokens.
        lm_weight: float, the λ of the paper.

    Returns:
        float32 tensor of shape (), in nats.
    """
    ### BEGIN SOLUTION
    scores = ops.cast(class_logits, "float32")
    per_text = ops.sparse_categorical_crossentropy(labels, scores, from_logits=True)  # (B,)
    return ops.mean(per_text) + lm_weight * causal_lm_loss(lm_logits, token_ids, padding_mask)
    ### END SOLUTION


# %% check="gpt_finetune_loss"
check("gpt_finetune_loss", gpt_finetune_loss)

# %% [markdown] lang="zh"
r"""
## 4b.9 用一用：把小 GPT 微调成分类器

数据是程序造的口令，一共十种意图（intent）：“周末拉萨会下雨吗”是问天气，“播放我姐姐的纸船”是放音乐。八百句带标签。测试分两份：200 句的句式训练时见过，只是填的词换了；另有 250 句连**句式都没见过**。

分类用的矩阵有十行，每类一行，就是词元嵌入表末尾留着的那几行：`class_logits` 是提取那一格的状态跟它们的点积，也就是那一格 `lm_logits` 的最后十个数。这样，你的 `gpt_logits` 一字不改就能做分类。

三种情形各训练 80 步（三次一共不到一分钟，电脑慢或者忙，就得一两分钟）：从小 GPT 出发，λ = 0；从小 GPT 出发，λ = 0.5；从头开始（随机的参数），λ = 0.5。**先猜**：两份测试，各是哪种最准？训练完以后，口令的困惑度、新闻的困惑度，各会怎样？
"""

# %% [markdown] lang="en"
r"""
## 4b.9 Use it: make a classifier of the small GPT

The data are commands made by a program, with ten intents: "does it rain in new york on sunday" asks for the weather, "show me the way to san jose" for a route. Eight hundred have labels. There are two tests: 200 sentences whose forms training has seen, with other words in them; and 250 whose very **forms are new**.

The matrix of the classifier has ten rows, one for each class: just those that were kept at the end of the token table. `class_logits` are their dot products with the state at [EXTRACT], in other words the last ten `lm_logits` in that place. So your `gpt_logits` makes a classifier without a change.

Three runs of 80 steps each (less than a minute for all three, or a minute or two on a slow or busy computer): from the small GPT with λ = 0; from the small GPT with λ = 0.5; from scratch (random weights) with λ = 0.5. **Predict**: which is best on each of the tests? And what becomes of the perplexity of commands, and of that of news?
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import generated_commands


class Classifier(keras.Model):
    """A language model with `gpt_finetune_loss`, read at the last real place."""

    def __init__(self, gpt, lm_weight):
        super().__init__()
        self.gpt, self.lm_weight = gpt, lm_weight

    def call(self, inputs):
        lm_logits = self.gpt(inputs)  # (B, T, V)
        count = ops.sum(ops.cast(inputs["padding_mask"], "int32"), axis=1)  # (B,)
        at = ops.reshape(count - 1, (-1, 1, 1))
        return ops.take_along_axis(lm_logits, at, axis=1)[:, 0, -CLASSES:], lm_logits

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        class_logits, lm_logits = y_pred
        texts = x["token_ids"], x["padding_mask"]
        return gpt_finetune_loss(class_logits, y, lm_logits, *texts, lm_weight=self.lm_weight)


if tiny and ready("classification_input", "gpt_finetune_loss"):
    commands = generated_commands.load(language=LANG, size=2000)
    parts = {
        "train": commands["train"][:800],
        text("见过的句式", "known forms"): commands["train"][800:1000],
        text("新的句式", "new forms"): commands["test"],
    }
    intents = sorted({command.intent for command in commands["train"]})
    for command in commands["train"][:3]:
        print(command.intent, command.text)
    wide = {"zh": 24, "en": 64}[LANG]
    lines, labels = {}, {}
    for part, rows in parts.items():
        inputs = [classification_input(ids_of(row.text), MARKS, max_length=wide) for row in rows]
        lines[part] = padded(inputs, wide)
        labels[part] = np.array([intents.index(row.intent) for row in rows], "int32")

    pretrained = tiny.get_weights()
    outcomes = {
        (text("小 GPT，λ = 0  ", "small GPT, λ = 0  "), 0.0): pretrained,
        (text("小 GPT，λ = 0.5", "small GPT, λ = 0.5"), 0.5): pretrained,
        (text("从头，λ = 0.5  ", "scratch, λ = 0.5  "), 0.5): fresh,
    }
    tests = list(parts)[1:]
    # Only texts count: [EXTRACT] is a mark that pretraining has never seen, and nobody writes it.
    only_texts = without_last(lines[tests[0]])
    of_commands = perplexity(tiny, only_texts)
    say(
        f"微调之前的困惑度：口令 {of_commands:.1f}，新闻 {of_tiny:.1f}",
        f"perplexity before: commands {of_commands:.1f}, news {of_tiny:.1f}",
    )
    on_new_forms = []
    for (name, lm_weight), weights in outcomes.items():
        tiny.set_weights(weights)
        classifier = Classifier(tiny, lm_weight)
        classifier.compile(optimizer=keras.optimizers.Adam(2e-3, clipnorm=1.0), jit_compile=False)
        rng = np.random.default_rng(0)
        order = np.concatenate([rng.permutation(800) for _ in range(4)])
        for step in range(80):
            rows = order[32 * step : 32 * (step + 1)]
            batch = {key: array[rows] for key, array in lines["train"].items()}
            classifier.train_on_batch(batch, labels["train"][rows])
        accuracies = []
        for test in tests:
            guesses = classifier.predict(lines[test], batch_size=50, verbose=0)[0].argmax(axis=1)
            accuracies.append(np.mean(guesses == labels[test]))
        on_new_forms.append(accuracies[1])
        shown = [f"{test} {share:.2f}" for test, share in zip(tests, accuracies)]
        of_commands, of_news = perplexity(tiny, only_texts), perplexity(tiny, test_arrays)
        say(
            f"{name}  准确率：{'，'.join(shown)}；困惑度：口令 {of_commands:.1f}，"
            f"新闻 {of_news:.1f}",
            f"{name}  accuracy: {', '.join(shown)}; perplexity: commands "
            f"{of_commands:.1f}, news {of_news:.1f}",
        )
    tiny.set_weights(pretrained)
    lead = on_new_forms[1] - on_new_forms[2]
    say(
        f"新的句式，λ 都是 0.5：读过新闻的减去从头开始的，{lead:+.2f}",
        f"New forms, λ = 0.5 for both: read the news minus from scratch, {lead:+.2f}",
    )

# %% [markdown] lang="zh"
r"""
把三行数字跟你猜的对一对。见过的句式，背下句式就能答对，三种情形都差不多满分；新的句式考的是别的：同样的意图换一种说法，还认不认得。三次用的标签、步数、学习率全都一样，两次 λ = 0.5 只差在一处：动手之前读没读过新闻。新闻不是口令，也没有标签；可是换了说法的口令，读过新闻的认得更多：我们跑出来，小 GPT 是 0.94（λ = 0）和 0.93（λ = 0.5），从头训练的 0.68。英文版里都低一大截，跑了两次，λ = 0 是 0.51 和 0.54，λ = 0.5 是 0.46 和 0.36，从头训练的两次都是 0.18（瞎猜是 0.10）：中文一两个字就泄露了意图（“票”“雨”“闹钟”），英文多半得先把字母拼成词。两种语言里，读过新闻都帮上了忙。**预训练给的不是答案，是一个好的起点**：同样的标签，从那里出发走得更远。

不过，那 250 句其实只有十种新句式，每种意图一种：多认得一种，就多出一成左右。所以一两成的差别（λ = 0 与 λ = 0.5 之间的就是），再跑一次就可能没有；该信哪几个数，看下一节。

再看困惑度，两份分开看。（口令的那一份没有算 [EXTRACT]：预训练时谁也没见过这个记号，算进去，前后就没法比了。）

- **口令**：λ = 0 时没有谁要求模型预测下一个字，困惑度不降反升，我们跑出来从 473 升到 701；带上副业就降到 2.3，因为口令翻来覆去就是那些句式。
- **新闻**：λ = 0 时从 150 升到 247，带上副业，升得更高，到 999。副业预测的是口令，不是新闻：每一步都把概率挪到口令会用的字上，新闻里的字就更意外了。副业护着的是眼前这批文字，**护不住从前学的**；这就是 4a 说过的灾难性遗忘（catastrophic forgetting）。从头训练的根本没读过新闻，只认口令里的字，困惑度高达 7335，比词表（1839 种词元）还大：还不如闭着眼睛均匀地猜。

## 4b.10 存好的实验：标签少的时候，预训练值多少

先把断言写下来，再看结果。每条断言都是测量之前写下的，成立不成立，照实打印。

**一、标签的多少。** 中文评论一万多条，训练部分**不看标签**，先当语言模型预训练；再从中取 100、400、1600 条带标签的来微调，λ 取 0 和 0.5；对照是从头开始的同一个模型，训练的步数一样多。
"""

# %% [markdown] lang="en"
r"""
Hold the three lines against your predictions. Known forms can be answered by knowing the forms by heart, and all three runs are nearly perfect there; new forms ask for something else, the same intent said in another way. All runs have the same labels, steps and learning rate, and the two with λ = 0.5 differ in one thing: whether the model had read news before. News is not commands, and has no labels; still, a model that has read it understands more of the commands said in a new way. We ran it twice: the small GPT was right on 0.51 and 0.54 of the new forms with λ = 0, on 0.46 and 0.36 with λ = 0.5, the model from scratch on 0.18 both times, and guessing gives 0.10. In the Chinese edition all are much higher, 0.94 and 0.93 against 0.68: there a character or two give the intent away, while in English, most likely, letters have to be put together into words first. Having read the news helped in both languages. **What pretraining gives isn't answers but a good place to begin**: from there the same labels lead further.

But those 250 sentences have only ten new forms, one for each intent, and to understand one more is worth about a tenth. So a difference of one or two tenths, such as that between λ = 0 and λ = 0.5, may vanish when it is run again, and our two runs can't say whether the side job costs anything here; for numbers to trust see the next section.

Now the perplexities, one at a time. (Those of commands don't count [EXTRACT]: nobody had seen that mark in pretraining, and with it "before" and "after" couldn't be compared.)

- **Commands**: with λ = 0 nothing asks the model to predict next characters, and the perplexity doesn't fall but rises, from 12.0 to 29.2 when we ran it; with the side job it falls to 2.7, since commands are the same few forms over and over. The model from scratch has the same 80 steps to learn the letters as well, and gets to 11.0 only.
- **News**: from 8.7 to 24.8 with λ = 0, and even higher with the side job, to 30.0; the model from scratch, which never read any, has 28.0. The side job is on commands and not on news: with every step it moves probability to what commands are made of. It looks after the text at hand and **doesn't protect what was learnt before**; this is the catastrophic forgetting of 4a. In the Chinese edition it shows even more: from 150 to 247 with λ = 0, but to 999 with the side job.

## 4b.10 Stored experiments: what pretraining is worth when labels are few

First we commit ourselves, then we look. Every claim was written down before anything was measured, and whether it holds is printed as it came out.

**One: the number of labels.** More than ten thousand Chinese reviews. Those for training are first read **without their labels**, by a language model; then 100, 400 or 1600 of them, with labels, fine-tune it, with λ = 0 and 0.5; beside it the same model from scratch, for as many steps.
"""

# %% tags=["experiment"]
result = stored("gpt_few_labels")


def verdict(result):
    """The claim, and whether it held, part by part."""
    print(result["claim"][LANG])
    for part, holds in result.get("parts", {"": result["holds"]}).items():
        found = text("成立", "holds") if holds else text("不成立", "does not hold")
        print(f"({part})" if part else "", found)


if result:
    verdict(result)
    words = chart_words(LANG)
    labels_shown = {
        "pretrained_lm": words("预训练，λ = 0.5", "pretrained, λ = 0.5"),
        "pretrained": words("预训练，λ = 0", "pretrained, λ = 0"),
        "scratch_lm": words("从头，λ = 0.5", "scratch, λ = 0.5"),
        "scratch": words("从头，λ = 0", "scratch, λ = 0"),
    }
    with chart(1, width=7.5) as (axis,):
        for i, (name, label) in enumerate(labels_shown.items()):
            figures = result["figures"][name]
            counts = [int(count) for count in figures]
            for n in range(len(result["seeds"])):
                axis.plot(
                    counts,
                    [figures[str(count)]["values"][n] for count in counts],
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle=STYLES[i],
                    alpha=0.75,
                    label=label if n == 0 else None,
                )
        axis.set(xscale="log", xlabel=words("带标签的评论", "reviews with labels"))
        axis.set_xticks(counts, [str(count) for count in counts])
        axis.set_ylabel(words("准确率", "accuracy"))
        axis.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))

    def lead(lm_weight, count, value):
        """Points of accuracy that pretraining is ahead, of a mean or of all seeds."""
        end = "_lm" if lm_weight else ""
        one, other = (result["figures"][name + end] for name in ("pretrained", "scratch"))
        return 100 * (np.array(one[str(count)][value]) - np.array(other[str(count)][value]))

    for lm_weight in (0.5, 0):
        leads = "，".join(f"{n} 条 {lead(lm_weight, n, 'mean'):+.1f}" for n in counts)
        ahead = ", ".join(f"{lead(lm_weight, n, 'mean'):+.1f} with {n}" for n in counts)
        say(
            f"λ = {lm_weight}，预训练过的领先几个百分点（三个种子平均）：{leads}",
            f"λ = {lm_weight}, lead of the pretrained one in points, mean of the seeds: {ahead}",
        )
    each = "  ".join(f"{points:+.1f}" for points in lead(0.5, counts[0], "values"))
    say(
        f"λ = 0.5，{counts[0]} 条标签，一个种子一个数：{each}",
        f"λ = 0.5, {counts[0]} labels, seed by seed: {each}",
    )

# %% [markdown] lang="zh"
r"""
图上每条线是一个种子；同一种颜色的线隔得有多开，就是换个种子会差多少。比这更小的差别，别当真。断言说的是**每个种子**：平均够了，只要有一个种子没到，照样打印“不成立”；图下面最后一行列出了各个种子。

存下这一次结果时，有两件事我们没料到（结果要是重测过，以打印的数为准）。第一，从头开始**又带副业**的，标签少时垫底：一百来步里既要学会这门语言，又要学会任务，两头都顾不上；到 1600 条时步数也多了，才追上来一截。所以 λ = 0.5 的领先不是一路变小，400 条时反倒最大。第二，λ = 0 的那一行，领先或正或负，都只有一两个点，没有超出种子之间的差别：**不带副业时，看不出预训练值什么**。这么小的 GPT，只在评论上预训练一千来步，带来的东西还不多。带副业的预训练在 1600 条时平均最高，可是也只高出几个点，跟种子之间的差别差不多大。

**二、意思藏在哪一层。** 4a 用过的**伪词**（pseudo-word）：把两个词写成同一个词形，哪一处原来是哪个词，我们都知道。一个向量能不能看出原来是哪个词？用闭式解的线性探针去问：静态词向量（每个词形只有一个向量），ELMo 和 GPT 的各层。GPT 只看得见左边，ELMo 两边都看。
"""

# %% [markdown] lang="en"
r"""
Every line is one seed; how far lines of one colour are apart is what another seed may change. Don't make anything of differences smaller than that. A claim is about **every seed**: where the mean is large enough and a single seed isn't, "does not hold" is printed all the same; the last line below the picture has the seeds one by one.

When these results were stored, two things surprised us (if they have been measured anew since, go by the numbers that are printed). First, from scratch **with** the side job comes last where labels are few: in a hundred steps or so it has to learn the language and the task, and manages neither; with 1600 labels it also gets more steps, and catches up in part. So the lead at λ = 0.5 doesn't shrink steadily; it is largest with 400. Second, in the line of λ = 0 the lead is a point or two, this way or that, no more than seeds differ: **without the side job pretraining can't be seen to be worth anything**. A GPT as small as this, after a thousand-odd steps on reviews, doesn't bring much along. With the side job the pretrained one has the highest mean at 1600 labels, but only by a few points, again about what seeds differ.

**Two: which layer knows the sense.** The **pseudo-words** of 4a: two words are written as one form, and we know which of the two stood at every place. Can a vector tell? A linear probe with a closed-form solution asks: static vectors (one for each form), and all layers of ELMo and of GPT. GPT sees what stands on the left, ELMo sees both sides.
"""

# %% tags=["experiment"]
result = stored("senses_static_elmo_gpt")
if result:
    verdict(result)
    words = chart_words(LANG)
    layer_words = {
        "static": words("静态", "static"),
        "embedding": words("嵌入", "embedding"),
        "layer_1": words("第 1 层", "layer 1"),
        "layer_2": words("第 2 层", "layer 2"),
    }
    model_words = {
        "elmo": "ELMo",
        "elmo_forward": words("ELMo 正向", "ELMo, forward"),
        "gpt": "GPT",
    }
    with chart(1, width=5.5) as (axis,):
        for i, (name, label) in enumerate(model_words.items()):
            figures = {"static": result["figures"]["static"], **result["figures"][name]}
            for n in range(len(result["seeds"])):
                axis.plot(
                    range(len(layer_words)),
                    [figures[layer]["values"][n] for layer in layer_words],
                    color=COLOURS[i],
                    marker=MARKERS[i],
                    linestyle=STYLES[i],
                    alpha=0.75,
                    label=label if n == 0 else None,
                )
        axis.axhline(0.5, color="black", linewidth=0.8, linestyle=":")
        axis.set_xticks(range(len(layer_words)), layer_words.values())
        axis.set_ylabel(words("词义认对的比例", "senses told right"))
        axis.legend(frameon=False)
    best = {
        name: np.max([result["figures"][name][f"layer_{i}"]["values"] for i in (1, 2)], axis=0)
        for name in model_words
    }
    for name in ("elmo", "gpt"):
        above = best[name] - np.array(result["figures"]["static"]["values"])
        above = "  ".join(f"{share:+.2f}" for share in above)
        say(
            f"{model_words[name]} 最好的一层比静态向量高多少，一个种子一个数：{above}",
            f"{model_words[name]}, its best layer above static vectors, seed by seed: {above}",
        )
    behind = "  ".join(f"{share:+.2f}" for share in best["elmo_forward"] - best["gpt"])
    say(
        f"ELMo 正向最好的一层比 GPT 的高多少：{behind}",
        f"ELMo's forward direction above GPT, best layers: {behind}",
    )

# %% [markdown] lang="zh"
r"""
一个词形只有一个静态向量，它在每一处都一样，只能是 0.5，不用测也知道；ELMo 的嵌入层也是。GPT 的嵌入层加上了位置，位置本身也会漏一点口风，所以未必正好是 0.5。再往上的层读过上下文：ELMo 分得清楚得多；GPT 分得清多少，就要看种子了。

哪一条断言不成立，图下面的三行说得出缘由。存下来的这一次：（1）栽在 GPT 的一个种子上，它最好的一层只比静态向量高 0.07，比自己的嵌入层也高不了多少；（3）则是每个种子都差 0.05 以上。跟“ELMo 正向”比才公道，两者都只看左边，GPT 却还是落后。多半是因为八百步对自注意力来说太短：先得学会看哪里，才谈得上看懂；LSTM 天生就知道邻居在哪里。BERT 呢？5c 见。

**三、困惑度。** 4b.4 的比赛，模型更大，文字更多，训练久一点：GPT、ELMo 的正向语言模型、三元模型，读同样的中文报纸，预测同样的字。
"""

# %% [markdown] lang="en"
r"""
A form has one static vector, the same everywhere, and that can only reach 0.5; it needs no measuring, nor does ELMo's embedding. In GPT's embedding the position has been added, and a position may give something away, so it needn't be 0.5 exactly. The layers above have read the context: ELMo's tell much better; how much better GPT's do depends on the seed.

Why a claim does not hold can be read off the three lines below the picture. In the results as they were stored, (1) fails by one seed of GPT, whose best layer is just 0.07 above static vectors, and not much above its own embedding; (3) fails because every seed is more than 0.05 behind. "ELMo, forward" is the fair comparison, since both see the left side only, and GPT is behind all the same. Most likely eight hundred steps are too few for self-attention, which has to find out where to look before it can make sense of what it sees; an LSTM knows where its neighbours are from the start. And BERT? That is for 5c.

**Three: perplexity.** A longer race than that of 4b.4, and **in Chinese**: a larger GPT, ELMo's forward language model and a trigram read a newspaper, more text than you had, and predict the same characters, of which there are thousands. Don't compare these numbers with those of your BBC characters.
"""

# %% tags=["experiment"]
result = stored("perplexity_of_language_models")
if result:
    verdict(result)
    model_words = {
        "gpt": "GPT",
        "elmo_forward": text("ELMo 正向", "ELMo, forward"),
        "ngram": text("三元模型", "trigram"),
    }
    for name, label in model_words.items():
        found = result["figures"][name]
        line = f"{label:14} {found['perplexity']['mean']:7.1f} ± {found['perplexity']['sd']:.1f}"
        if "train_seconds" in found:
            seconds = found["train_seconds"]["mean"]
            line += text(f"   训练 {seconds:.0f} 秒", f"   {seconds:.0f} s of training")
        print(line)
    ours, counting = (result["figures"][name]["perplexity"]["mean"] for name in ("gpt", "ngram"))
    if counting < ours:
        say("数数领先。", "Counting is ahead.")
    else:
        say("GPT 领先。", "The GPT is ahead.")

# %% [markdown] lang="zh"
r"""
数数要是领先，道理跟 4b.4 一样：汉字有几千种，多数不常见，文字读一遍，数数就全记住了；GPT 训练几分钟，许多字才见过寥寥几回。领先多少，还要看训练多久：4b.4 末尾那一行命令可以接着试。困惑度说的是预测得准不准，不是懂得多不多：三元模型只是一张计数表，里面没有随上下文而变的向量，词义根本无从问起。

## 4b.11 找错练习

下面的 `patient` 是小 GPT 的一个训练步：`patient(token_ids, padding_mask, token_table, position_table, blocks)`，算出 logits 和损失。在这段代码的词表里，0 是 [EOS]，填充也用它（4b.4 的词表不一样：那里的 0 专门用来填充，[EOS] 另有编号）。它跑得通，形状全对，可是有**一处**毛病。别的班拿到的毛病可能不一样。

1. 先别盯着代码看，做实验：换掉后面的词元，前面的 logits 动不动？填充换成别的编号呢？让模型给下一个词元打满分，损失是不是接近 0？一批里只有第二行变了，第一行的损失变不变？梯度从哪几条路回到表里？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `labels_not_shifted` | 位置 t 的 logits 跟第 t 个词元比，没有错开 |
| `shifted_twice` | 自己错开一次，`causal_lm_loss` 又错开一次，预测的是第 t + 2 个 |
| `flattened_before_shift` | 先把各行接成一长行再错开：一行的末尾去预测下一行的开头 |
| `end_token_masked` | 凭编号认填充，真正的 [EOS] 也不算数了 |
| `tying_lost` | 打分用的是表的一份拷贝，梯度从那条路回不来 |
| `future_visible` | 只遮了填充，词元看得见后文 |
| `activation_before_projection` | 最后的状态与打分之间多了一个激活函数 |

`token_ids`、`padding_mask`、`token_table`、`position_table` 和 `blocks` 的形状与约定见 4b.2；**返回**一对 `(logits, loss)`，损失的约定见 4b.3。`causal_mask`、`combine_masks` 和 `causal_lm_loss` 可以用（检查时换成标准答案）。说对名字得 1 分，修好最多得 7 分：分几项检查，`patient` 本来就对的地方，不修也算对。
"""

# %% [markdown] lang="en"
r"""
Where counting is ahead, the reason is that of 4b.4: Chinese has thousands of characters, most of them rare; one pass over the text and counting remembers them all, while a GPT trained for minutes has met many of them a few times only. That is why it can lose here although yours, on the several dozen characters of English, may have won. Perplexity says how well a model predicts, not how much it understands: the trigram is a table of counts, and has no vector that changes with the context and could be asked for a sense.

## 4b.11 Debugging drill

`patient` below is one training step of a small GPT: `patient(token_ids, padding_mask, token_table, position_table, blocks)` computes logits and the loss. In its vocabulary 0 is [EOS], which also fills up the rows (unlike that of 4b.4, where 0 is padding only and [EOS] has an id of its own). It runs, all shapes are right, and it has **one** fault. Other classes may get other faults.

1. Don't stare at the code first; experiment: swap a later token, do earlier logits move? Give the pads another id? Let the model score every next token perfectly: is the loss nearly 0? Change the second row of a batch only: does the loss of the first change? By which roads does the gradient reach the tables?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `labels_not_shifted` | the logits at t are compared with token t: no shift |
| `shifted_twice` | shifted here, and once more by `causal_lm_loss`: token t + 2 is predicted |
| `flattened_before_shift` | rows are joined into one long row before the shift: the end of one has to predict the beginning of the next |
| `end_token_masked` | padding is recognised by its id, so the real [EOS] doesn't count either |
| `tying_lost` | scoring uses a copy of the table, and no gradient comes back by that road |
| `future_visible` | only padding is masked, and tokens see what follows |
| `activation_before_projection` | an activation function stands between the last states and the scoring |

`token_ids`, `padding_mask`, `token_table`, `position_table` and `blocks` have the shapes and conventions of 4b.2; it **returns** the pair `(logits, loss)`, the loss as in 4b.3. You may use `causal_mask`, `combine_masks` and `causal_lm_loss` (in the check they are the reference's). Naming the fault gives 1 point, the repair up to 7: several things are checked, and those that `patient` did right all along count as right.
"""

# %% exercise="drill_ch04b_gpt"
from drill import patient, suspect, repaired

# %% check="drill_ch04b_gpt"
check("drill_ch04b_gpt", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 4b.12 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）的 `GPT2Backbone` 就是这样一摞块，只是归一化放在每条支路**前面**（3b 的前归一化），末尾再归一化一次。最后那次归一化，在你的 `gpt_logits` 里可以冒充一个块。把同样的参数搬过去，logits 应当一样；打分在它那里是 `token_embedding(x, reverse=True)`，也是同一张表。

抽签呢，`keras_hub.samplers` 里有 `GreedySampler`、`TopKSampler(k)`、`TopPSampler(p, k)`，温度是它们的参数。（没装 KerasHub 就跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 4b.12 The same thing in KerasHub

KerasHub (`keras_nlp` in old code) has `GPT2Backbone`, which is such a stack, but with the norms **before** each branch (pre-LN in 3b) and one more at the end. That last norm can pose as a block in your `gpt_logits`. With the same weights the logits should agree; scoring is `token_embedding(x, reverse=True)` there, by the same table as well.

As for drawing, `keras_hub.samplers` has `GreedySampler`, `TopKSampler(k)` and `TopPSampler(p, k)`, and temperature is one of their arguments. (Without KerasHub the cell is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
if ready("gpt_logits"):
    try:
        from keras_hub.models import GPT2Backbone
    except ImportError:
        GPT2Backbone = None
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
    if GPT2Backbone is not None:
        from bert_keras.checkpoints.activations import gelu_tanh  # the form that GPT-2 computes
        from bert_keras.models.gpt import GPTBackbone

        sizes = {"vocabulary_size": 29, "num_layers": 2, "num_heads": 3, "hidden_dim": 15}
        sizes |= {"intermediate_dim": 20, "max_sequence_length": 11}
        keras.utils.set_random_seed(5)
        theirs = GPT2Backbone(**sizes)
        ours = GPTBackbone(**sizes, norm_first=True, activation=gelu_tanh, dropout=0.0)
        names = {"feed_forward/intermediate": "feedforward_intermediate_dense"}
        names |= {"feed_forward/output": "feedforward_output_dense"}
        names |= {"feed_forward_layer_norm": "feedforward_layer_norm"}
        names |= {"self_attention/output": "self_attention/attention_output"}
        names |= {"position_embedding/table": "position_embedding/embeddings"}
        names |= {"block_": "transformer_layer_"}
        variables = {variable.path: variable for variable in theirs.weights}
        rng = np.random.default_rng(6)
        for weight in ours.weights:
            weight.assign(0.3 * rng.normal(size=weight.shape))  # so that logits are of some size
            path = weight.path.removeprefix("gpt_backbone/")
            for our_name, their_name in names.items():
                path = path.replace(our_name, their_name)
            variables[path].assign(np.reshape(np.asarray(weight), variables[path].shape))

        hub_ids = rng.integers(0, 29, (2, 9)).astype("int32")
        hub_mask = np.arange(9) < np.array([[9], [6]])
        states = theirs({"token_ids": hub_ids, "padding_mask": hub_mask.astype("int32")})
        their_logits = np.asarray(theirs.token_embedding(states, reverse=True))

        def last_norm(x, attention_mask):
            return ours.layer_norm(x), None

        our_logits = gpt_logits(
            hub_ids,
            hub_mask,
            ops.convert_to_tensor(ours.token_embedding.embeddings),
            ops.convert_to_tensor(ours.position_embedding.table),
            [*ours.blocks, last_norm],
        )
        difference = np.abs(np.asarray(our_logits) - their_logits)[hub_mask].max()
        largest = np.abs(their_logits[hub_mask]).max()
        say(f"logits 最大 {largest:.1f}", f"logits up to {largest:.1f}")
        print(f"keras_hub GPT2Backbone {difference:.1e}  {'OK' if difference < 1e-5 else '!!'}")

# %% [markdown] lang="zh"
r"""
## 4b.13 常见误解

先逐句判断，再看数字。

1. GPT 就是 Transformer 的解码器。
2. 判断两句话是不是一个意思，输入一种次序就够了。
3. `top_p=0.9` 就是留下九成的词元。
4. 困惑度越低，写出来的文字越好。
5. BERT 完全不会生成文字。
"""

# %% [markdown] lang="en"
r"""
## 4b.13 Myth box

Judge each sentence first, then look at the numbers.

1. GPT is the decoder of the Transformer.
2. To tell whether two sentences say the same, one order of input is enough.
3. `top_p=0.9` keeps nine tenths of the tokens.
4. The lower the perplexity, the better the text.
5. BERT cannot generate text at all.
"""

# %% tags=["experiment"]
from bert_keras.layers.decoder import DecoderBlock

x = ops.zeros((1, 5, 64))
encoder_block, decoder_block = EncoderBlock(4, 64, 256), DecoderBlock(4, 64, 256)
encoder_block(x), decoder_block(x, x)
counts = encoder_block.count_params(), decoder_block.count_params()
say(
    f"1 编码器块 {counts[0]} 个参数，解码器块 {counts[1]} 个；差 {counts[1] - counts[0]}，"
    f"交叉注意力和它的归一化正好 {4 * (64 * 64 + 64) + 2 * 64}",
    f"1 an encoder block has {counts[0]} parameters, a decoder block {counts[1]}; the difference "
    f"is {counts[1] - counts[0]}, cross-attention and its norm have "
    f"{4 * (64 * 64 + 64) + 2 * 64}",
)
if tiny and ready("sample", "similarity_input"):
    say(
        f"2 甲乙对调：一种次序差 {one_order:.3f}，两种相加差 {both_orders:.0e}",
        f"2 A and B exchanged: one order moves by {one_order:.3f}, the sum by {both_orders:.0e}",
    )
    some_logits = tiny.predict_on_batch(padded(test_pieces[:8]))[:, :, : len(tokens_of_id)]
    shares = np.exp(some_logits - some_logits.max(axis=-1, keepdims=True))
    shares = np.sort(shares / shares.sum(axis=-1, keepdims=True), axis=-1)[..., ::-1]
    nucleus = (np.cumsum(shares, axis=-1) - shares < 0.9).sum(axis=-1)
    sizes = nucleus[padded(test_pieces[:8])["padding_mask"]]
    say(
        f"3 {len(sizes)} 个位置，词表 {len(tokens_of_id)}；留下的词元最少 {sizes.min()} 个，"
        f"中位数 {np.median(sizes):.0f} 个，最多 {sizes.max()} 个",
        f"3 {len(sizes)} places, {len(tokens_of_id)} tokens in the vocabulary; kept: {sizes.min()} "
        f"at least, {np.median(sizes):.0f} in the median, {sizes.max()} at most",
    )
    for name in ("top_k=1", "top_p=0.8"):
        print("4", name, words_of(written[name][0]))

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **半对。** 少了交叉注意力，参数正好少那么多；剩下的就是编码器的块，加一张因果掩码。所以也有人说 GPT 是“编码器的块，解码器的掩码”。
2. **错。** 模型从左往右读，先读谁不一样；两种次序相加，才与次序无关。（4b.7 的实验。训练可以让它近似对称，但不会自动对称。）
3. **错。** 九成指的是概率。模型有把握时，一两个词元就够九成；没把握时要留几百个。
4. **错。** 贪心写的话，模型自己最不意外，却单调爱重复。困惑度是对着**人写的**文字量的。
5. **先存疑。** BERT 没有学过从左往右接着写，可是把 [MASK] 一格一格地填，也能写出东西来。6c 会让它写，到时候再判。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Half true.** Cross-attention is missing, and the parameters are fewer by just that; what remains is the encoder's block with a causal mask. So some say that GPT has the blocks of an encoder and the mask of a decoder.
2. **Wrong.** The model reads from left to right, and what it reads first makes a difference; only the sum of both orders doesn't depend on the order. (The experiment of 4b.7. Training can make it nearly symmetric, but nothing makes it so by itself.)
3. **Wrong.** It is nine tenths of the probability. Where the model is sure, a token or two have that much; where it isn't, it takes dozens of these few characters, and hundreds where the vocabulary has thousands.
4. **Wrong.** What is written greedily surprises the model least, and is monotonous and repeats itself. Perplexity is measured on text that **people** wrote.
5. **Open for now.** BERT has never learnt to write on from left to right; but filling one [MASK] after another, it can write something. 6c makes it write, and gives the verdict.
"""

# %% [markdown] lang="zh" exercise="written_ch04b_gpt"
r"""
## 4b.14 简答题

一位同事训练了一个小 GPT，困惑度不如三元模型。他说：“数数的都比它强，可见预训练这条路走不通。”

用 150 字左右回答：困惑度的这个比较，能支持他的结论吗？举出本章的两个数字（至少一个是你**自己跑出来的**），一个对他有利，一个对他不利；再提出一个他应当补做的实验，并说明什么样的结果会让你改变看法。

这道题由老师评阅，不计入 40 分。好的回答里有两个数字（各说明什么）、一个实验（动哪里，跟什么比）和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch04b_gpt"
r"""
## 4b.14 Written question

A colleague has trained a small GPT whose perplexity is worse than a trigram's. "Even counting does better," he says, "so pretraining leads nowhere."

Answer in about 100 words: does this comparison of perplexities support his conclusion? Quote two numbers of this notebook (at least one that **you ran yourself**), one in his favour and one against; then propose one experiment he ought to add, and say which result would change your mind.

Your teacher reads this one; it is not part of the 40 points. A good answer has two numbers (and what each of them shows), one experiment (what is changed, and compared with what) and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 分清“下一个词元预测得准”和“学到了对别的任务有用的东西”，并引用两个数字（如 4b.4 的两个困惑度；4b.10 里少量标签的准确率，或各层分辨伪词的比例）；比较困惑度时说到词元相同、读过的遍数不同。
2. 补做的实验有对照：同样的文字和词元，训练更久或更大；或者同样的标签，预训练与从头开始相比。只多写几段样文不算。
3. 事先说清哪种结果支持、哪种结果推翻他的说法。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Tells "guesses next tokens well" from "has learnt something that helps another task", and quotes two numbers (such as the two perplexities of 4b.4; accuracies with few labels or shares of pseudo-words told right by layer in 4b.10); when comparing perplexities, mentions that tokens are the same and passes over the text are not.
2. The added experiment has a control: the same text and tokens with more training or a larger model, or the same labels with and without pretraining. More samples of text don't count.
3. Says beforehand which result would support him and which would refute him.
"""

# %% [markdown] lang="zh"
r"""
## 4b.15 小结：半页带走

**一个模型。** 嵌入相加，一摞编码器的块，一张掩码，再跟嵌入表做点积：

$$h_0 = E[x] + P, \qquad h_l = \mathrm{block}_l(h_{l-1}), \qquad \mathrm{logits} = h_L E^\top$$

**一个损失，错开一格。** 位置 t 预测第 t + 1 个词元；错开只做一次，一行一行地做；算不算由掩码说了算。开始时约等于 $\ln V$；低得可疑，先查错开。

**三道工序，次序固定。** 温度改差距，top-k 定个数，top-p 定概率；越过 p 的那一个留下。

**四种输入。** 先裁文字再加记号；相似要两种次序；选择题每个答案都带上文；答案都从 [EXTRACT] 那一格读。

**微调。** $L = L_{\text{task}} + \lambda L_{\text{LM}}$，所有参数一起动。
"""

# %% [markdown] lang="en"
r"""
## 4b.15 Half a page to take with you

**One model.** Embeddings added, a stack of the encoder's blocks, one mask, and dot products with the token table:

$$h_0 = E[x] + P, \qquad h_l = \mathrm{block}_l(h_{l-1}), \qquad \mathrm{logits} = h_L E^\top$$

**One loss, shifted by one.** Position t predicts token t + 1; shift once, row by row; the mask says what counts. It begins at about $\ln V$; if it is too good to be true, look at the shift.

**Three steps in a fixed order.** Temperature changes distances, top-k the number, top-p the probability that is left; the one that crosses p stays.

**Four inputs.** Cut texts before adding marks; similarity takes both orders; in multiple choice every answer brings the context; the answer is read at [EXTRACT].

**Fine-tuning.** $L = L_{\text{task}} + \lambda L_{\text{LM}}$, and all weights move.
"""

# %% [markdown] lang="zh"
r"""
## 4b.16 接下来

GPT 只看左边，ELMo 两边各看各的。能不能让每一层都同时看两边？那样的话，“预测下一个词元”就成了偷看答案，得换一种训练的题目。

- **5a** 从去噪自编码器讲起，做出 BERT 的输入。
- **5b** 换的就是那道题：掩码语言模型。
- **6c** 回头看生成：BERT 的参数也能拿来写。

想读原文：[GPT 的论文](https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf) 不长，第 3 节就是本章的公式，图 1 画的就是四种输入。
"""

# %% [markdown] lang="en"
r"""
## 4b.16 Where next

GPT sees the left side only, ELMo sees each side by itself. Could every layer see both sides at once? Then "guess the next token" would be peeping at the answer, and training needs another question.

- **5a** sets out from denoising autoencoders and makes BERT's input.
- **5b** has that other question: the masked language model.
- **6c** comes back to writing: BERT's weights can be used for that, too.

For the source: [the paper on GPT](https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf) is short; section 3 has the formulas of this notebook, and figure 1 the four kinds of inputs.
"""
