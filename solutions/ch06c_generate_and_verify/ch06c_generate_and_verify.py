# %% [markdown] lang="zh"
r"""
# 6c 让 BERT 动笔，再让它核对事实

到现在为止，BERT 只读不写：读完一行，给出类别，或者指出答案在哪一段。这一章先让它**写**：给一段资料，写一句摘要。难处在于它的每个词元都看得见两边，而动笔的时候，右边还什么都没有。办法有两个，都用现成的零件：

- **一摞块，一张掩码**：原文和要写的部分拼成一行，原文互相看，写出来的只往回看。
- **一个编码器，一个解码器**：两边的参数都从 BERT 来，BERT 里没有的才从头学。

会写，还得写得对。后半章做的就是**核对**：一句断言，一堆资料；先找出有关的那几条，再判断是支持、反驳，还是说不准。最后把两半合起来：一句摘要，跟标准答案像不像（ROUGE），和它说的是不是真的，是两回事。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `prefix_mask` | 6 | 15 | 核心 | 布尔，`True` = 可以看；片段 0 谁都能看，片段 1 只能往回看，填充谁都不看 | 随机的片段号和掩码 |
| `warm_start_seq2seq` | 7 | 20 | 核心 | 抄过来的和保持原样的，一个参数也不漏 | 造出来的块 |
| `retrieve_evidence` | 7 | 25 | 核心 | BM25；同分时在前的优先 | 手写的句子 |
| `verify_claim` | 5 | 12 | 核心 | 0 支持，1 反驳，2 资料不足；最有把握的那条证据说了算 | 造出来的概率 |
| `rouge_l` | 5 | 15 | 核心 | 最长公共子序列的 F1；可以有间隔，次序不能乱 | 词的列表 |
| `drill_ch06c_generate_and_verify` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch06c_generate_and_verify` | 0 | 12 | 核心 | 老师评阅，不计入 36 分 | 本章的图和数字 |

核心练习 36 分。只做练习不到两小时，连同实验大约两个半小时；6c.6 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数。
"""

# %% [markdown] lang="en"
r"""
# 6c Make BERT write, then make it check the facts

So far BERT has read and never written: it takes in a line and names a class, or points at a stretch of text. In this notebook it first learns to **write**: given some facts, say a sentence that sums them up. What stands in the way is that each of its tokens sees both sides, and while you write, there is no right side yet. There are two ways around it, and neither needs a new part:

- **one stack, one mask**: source and target in one row; the source sees all of itself, what is written looks back only;
- **an encoder and a decoder**: both take their weights from BERT, and only what BERT doesn't have is learnt anew.

Writing is one thing, being right another. The second half **checks**: given a claim and a pile of statements, find those that matter, then judge whether they support it, refute it, or leave it open. In the end both halves meet: how much a summary looks like a reference (ROUGE), and whether what it says is true, are two different things.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `prefix_mask` | 6 | 15 | core | bool, `True` = may look; everybody sees segment 0, segment 1 is seen by itself and by later positions only, nobody sees padding | random segments and masks |
| `warm_start_seq2seq` | 7 | 20 | core | copied, or left as it was: every weight is accounted for | made-up blocks |
| `retrieve_evidence` | 7 | 25 | core | BM25; of equals, the earlier one | sentences by hand |
| `verify_claim` | 5 | 12 | core | 0 supported, 1 refuted, 2 not enough information; the most confident evidence decides | made-up probabilities |
| `rouge_l` | 5 | 15 | core | F1 of the longest common subsequence; gaps are fine, order isn't free | lists of words |
| `drill_ch06c_generate_and_verify` | 6 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch06c_generate_and_verify` | 0 | 12 | core | read by your teacher, not part of the 36 points | the pictures and numbers of this notebook |

36 core points. The exercises take a little less than two hours, with the experiments about two and a half; just before 6c.6 is a good place to pause.

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
from bert_keras.text.wordpiece import basic_tokenize

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


# %% [markdown] lang="zh"
r"""
## 6c.1 会填空，还不算会写

5b 的 BERT 会填空：盖住一个词，看着两边猜。那么写一句话，是不是在末尾放上几个 [MASK]，一起填就行了？

设想一个**完美的**填空模型。它知道空里要填的是三样特产中的一样，哪样的可能性都一样大；它给每个空的分布都恰好是对的，然后各个空**分头**去填。先猜：十二次里，有几次填出来的是那三样之一？
"""

# %% [markdown] lang="en"
r"""
## 6c.1 Filling blanks is not writing

The BERT of 5b fills in blanks: hide a word, look at both sides, guess. So to write a sentence, can't we put some [MASK]s at the end and fill them all at once?

Imagine a **perfect** blank-filler. It knows that one of three goods belongs there, each as likely as the others; the distribution it gives for each blank is exactly right, and then every blank is filled **on its own**. Predict: of twelve tries, how many give one of the three?
"""

# %% tags=["experiment"]
GOODS = {"zh": ["白酒", "青茶", "海盐"], "en": ["olive oil", "sea salt", "black tea"]}[LANG]
glue = {"zh": "", "en": " "}[LANG]
halves = [list(one) if LANG == "zh" else one.split() for one in GOODS]
rng = np.random.default_rng(0)
at_once = []
for _ in range(12):
    drawn = [halves[rng.integers(3)][place] for place in range(2)]  # each blank by itself
    at_once.append(glue.join(drawn))
print(text("、", ", ").join(at_once))
say(
    f"十二次里对了 {sum(one in GOODS for one in at_once)} 次；照理平均是三分之一，4 次",
    f"right {sum(one in GOODS for one in at_once)} times of twelve; one in three is to be "
    "expected, 4 times",
)

# %% [markdown] lang="zh"
r"""
每个空都填得没有错，合起来却错了：第二个空不知道第一个空里**已经填了什么**。要写得通，就得一个一个地写，后写的看得见先写的。于是有两件事要改：

1. 写第 t 个词元时，只许看原文和前 t − 1 个写好的词元，**训练时也只许看这些**，不然练的就不是要用的本事；
2. 原文呢，早就在那里了，仍旧可以两边都看：那正是 BERT 的长处。

4b 的 GPT 做到了第一条，却连原文也只能从左往右读。下面两条都要。
"""

# %% [markdown] lang="en"
r"""
No blank was filled wrongly, and yet the whole is wrong: the second blank doesn't know **what has been put** into the first. To make sense, words have to be written one after another, the later ones seeing the earlier. So two things are wanted:

1. Whoever writes token t may look at the source and at the t − 1 tokens written before, and **training must work the same way**, or the model practises something it will never need;
2. the source has been there all along, and may still be read from both sides: that is what BERT is good at.

GPT of 4b does the first, but reads even the source from left to right. Now we want both.
"""

# %% [markdown] lang="zh"
r"""
## 6c.2 练习：一行里，谁能看见谁

写 `prefix_mask(segment_ids, padding_mask)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `segment_ids` | (B, T) | 整数：0 = 原文，1 = 要写的部分；每一行里，原文总在前面 |
| `padding_mask` | (B, T) | 布尔，`True` = 真词元；填充可以站在任何地方，它的片段号可能是 0，也可能是 1 |

- **返回**布尔 (B, T, T)，行是看的（query），列是被看的（key），`True` = 可以看。
- 片段 0 的真词元，**谁都能看**。
- 片段 1 的真词元，只有它自己和**后面**（右边）的位置能看。
- 填充，**谁都不能看**，不管站在哪里、片段号是几。
- 填充的那几行（它们自己看谁）不检查，随你。
- 训练时批次大小还不知道（`shape[0]` 是 `None`），T 知道。只用 `ops`。
"""

# %% [markdown] lang="en"
r"""
## 6c.2 Exercise: who sees whom in the row

Write `prefix_mask(segment_ids, padding_mask)`:

| Argument | Shape | Notes |
|---|---|---|
| `segment_ids` | (B, T) | int: 0 = the source, 1 = what is written; in every row the source comes first |
| `padding_mask` | (B, T) | bool, `True` = a real token; padding may stand anywhere, with segment 0 or 1 |

- **Returns** bool (B, T, T): rows are those who look (queries), columns those who are looked at (keys), `True` = may look.
- Real tokens of segment 0 are seen by **everybody**.
- Real tokens of segment 1 are seen by themselves and by every **later** position, further to the right.
- Padding is seen by **nobody**, wherever it stands and whatever its segment.
- The rows of padding (what padding itself may look at) are not checked.
- In training the batch size is unknown (`shape[0]` is `None`), T is known. Use `ops` only.
"""


# %% exercise="prefix_mask"
def prefix_mask(segment_ids, padding_mask):
    """Say who may look at whom where a source and what is written for it share a row.

    Args:
        segment_ids: int tensor of shape (B, T), 0 for the source, 1 for what is written; in every
            row the source comes first.
        padding_mask: bool tensor of shape (B, T), True at real tokens. Padding may stand anywhere
            and have either segment.

    Returns:
        bool tensor of shape (B, T, T), rows look and columns are looked at; True = may look.
    """
    ### BEGIN SOLUTION
    place = ops.arange(segment_ids.shape[1])  # (T,)
    is_behind = place[:, None] >= place[None]  # (T, T): the key is the query itself, or before it
    is_source = ops.equal(segment_ids, 0)[:, None]  # (B, 1, T), keys
    is_open = ops.logical_or(is_source, is_behind)  # (B, T, T)
    return ops.logical_and(is_open, padding_mask[:, None])  # (B, T, T)
    ### END SOLUTION


# %% check="prefix_mask"
check("prefix_mask", prefix_mask)

# %% [markdown] lang="zh"
r"""
**看一看。** 一行里前面是原文，后面是要写的部分，三张掩码并排：你写的；全都开着（BERT 平时那样）；从头到尾只往回看（GPT 那样）。行是看的，列是被看的；有颜色的格子可以看，颜色说的是那一列属于原文，还是属于要写的部分。先猜：三张图里，原文的那几行各是什么样子？
"""

# %% [markdown] lang="en"
r"""
**See it.** A row of a source and what is written for it, with three masks side by side: yours; everything open, as BERT usually is; and looking back only from end to end, as GPT does. Rows look, columns are looked at, the colour says whether the column belongs to the source or to what is written, and an empty cell may not be looked at. Predict: what do the rows of the source look like in each of the three?
"""

# %% tags=["experiment"]
from bert_keras.analysis.mask_map import mask_map
from bert_keras.layers.masks import causal_mask, combine_masks


def all_open(segment_ids, padding_mask):
    """Everybody sees every real token, as in BERT."""
    return combine_masks(padding_mask, ops.ones((segment_ids.shape[1],) * 2, "bool"))


def look_back(segment_ids, padding_mask):
    """Everybody looks back only, as in GPT."""
    return combine_masks(padding_mask, causal_mask(segment_ids.shape[1]))


if ready("prefix_mask"):
    if LANG == "zh":
        row = ["[CLS]", *"首府是青川", "[SEP]", *"青川市", "[SEP]", "[PAD]"]
        written = 4
    else:
        row = "[CLS] the capital is Osk [SEP] Osk rules [SEP] [PAD]".split()
        written = 3
    parts = np.zeros((1, len(row)), "int32")
    parts[0, -1 - written : -1] = 1
    is_real = np.array([[word != "[PAD]" for word in row]])
    masks = [
        (text("前缀掩码", "prefix mask"), prefix_mask),
        (text("全开", "all open"), all_open),
        (text("只往回看", "looking back"), look_back),
    ]
    maps = []
    for name, mask_of in masks:
        mask = np.array(mask_of(ops.convert_to_tensor(parts), ops.convert_to_tensor(is_real)))[0]
        mask[~is_real[0]] = False  # what padding looks at is of no interest
        maps.append((name, mask))
    legend = (text("原文", "source"), text("要写的部分", "what is written"))
    display(mask_map(row, parts[0], maps, legend))

# %% [markdown] lang="zh"
r"""
你的那张是两张的拼接：原文的列从上到下全开，要写的部分是一个三角。注意原文的那几行右边是空的：**原文看不见要写的部分**，所以写到第几个词元，原文的状态都不变，算一次就够（第 2 章的编码器也是这样，只不过这里编码器和解码器是同一摞块）。这个做法来自 [UniLM](https://arxiv.org/abs/1905.03197)。

## 6c.3 用一用：给一个地方写摘要

数据是程序造的：三句话说一个地方，有一句是多余的；摘要只要首府和特产，次序固定。这里一个词元就是一个地名、一个数值，或者它们之间的一截话，所以一行很短。测试里的资料，训练时一条也没有见过。
"""

# %% [markdown] lang="en"
r"""
Yours is put together from the other two: the columns of the source are open from top to bottom, what is written is a triangle. Mind that the rows of the source are empty on the right: **the source doesn't see what is written**, so its states never change while the text grows, and computing them once is enough (as with the encoder of chapter 2, only that encoder and decoder are one stack here). The idea is that of [UniLM](https://arxiv.org/abs/1905.03197).

## 6c.3 Use it: sum up a place

The data are made by a program: three statements about a place, one of which doesn't matter; the summary gives capital and goods, in this order. A token here is a name, a value, or the words between them, so rows are short. No sheet of the test was seen in training.
"""

# %% tags=["experiment"]
from bert_keras.text import packing
from bert_keras.text.corpora.generated_facts import FACTS, places
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer

CAPITAL, SELLS = 0, 4  # two of the six kinds of facts
SHEETS, STEPS = 4000, 300
losses_of, wrote, starts = {}, {}, {}  # filled by later cells


def pieces_of(pattern, **filled):
    """The tokens of a pattern: what is filled in, and the words between."""
    marked = pattern.format(**{key: f"|{value}|" for key, value in filled.items()})
    return tuple(piece.strip() for piece in marked.split("|") if piece.strip())


def sheet(rng):
    """Three statements about a place in any order, and their summary, as tokens."""
    name = str(rng.choice(places(LANG)[::9]))
    kinds = rng.permutation([CAPITAL, SELLS, rng.choice([1, 2, 3, 5])])
    values = {kind: str(rng.choice(FACTS[LANG][kind].values.split("|"))) for kind in kinds}
    told = (pieces_of(FACTS[LANG][kind].statement, n=name, v=values[kind]) for kind in kinds)
    summary = text("{n}：首府{c}，出产{g}", "{n}: capital {c}, sells {g}")
    return sum(told, ()), pieces_of(summary, n=name, c=values[CAPITAL], g=values[SELLS])


rng = np.random.default_rng(0)
sheets = [*dict.fromkeys(sheet(rng) for _ in range(SHEETS + 200))]
sheet_test = sheets[-100:]
for source, target in sheet_test[:2]:
    print(" | ".join(source))
    print("→", " | ".join(target))
vocabulary = Vocabulary(
    [*SPECIAL_TOKENS, *sorted({word for pair in sheets for word in sum(pair, ())})]
)
sheet_ids = [tuple(map(vocabulary.ids, pair)) for pair in sheets]
SOURCE = max(len(source) for source, _ in sheet_ids) + 2  # [CLS] and [SEP]
TARGET = max(len(target) for _, target in sheet_ids) + 1  # [SEP]
say(
    f"{len(vocabulary)} 种词元；资料最长 {SOURCE}，摘要最长 {TARGET}",
    f"{len(vocabulary)} tokens in the vocabulary; sources up to {SOURCE}, summaries up to {TARGET}",
)

# %% [markdown] lang="zh"
r"""
一个没有预训练过的小 BERT：两个块，隐藏维度 64。头就是 5b 的 `MaskedLMHead`，跟词元嵌入表共用参数。位置 t 的 logits 预测第 t + 1 个词元，只有**要写的部分**才算损失；第一个要写的词元，从原文的 [SEP] 那里读。

训练两个，什么都一样，只差掩码：一个用你的 `prefix_mask`，一个全开。每个 300 步，大约十几秒（电脑忙的话，一两分钟）。写的时候一次写一个词元，取分数最大的。

**先猜**：谁的训练损失低？谁写得对？
"""

# %% [markdown] lang="en"
r"""
A small BERT without pretraining: two blocks of hidden size 64. Its head is the `MaskedLMHead` of 5b, which shares the token table. The logits at place t predict token t + 1, and only **what is written** counts in the loss; the first token to write is read at the [SEP] of the source.

Two are trained, alike in all but the mask: one has your `prefix_mask`, the other is all open. 300 steps each, some ten seconds (a minute or two on a busy computer). Then they write, one token at a time, always the best one.

**Predict**: which has the lower training loss? Which writes what is right?
"""

# %% tags=["experiment"]
from bert_keras.models.writers import PrefixWriter
from bert_keras.training import small_bert
from bert_keras.training.encoders import build_backbone
from bert_keras.training.sections import ModelSection


def new_backbone():
    """A small BERT without dropout; `NANO` has the sizes and spreads that the course uses."""
    sizes = {**small_bert.NANO, "max_sequence_length": SOURCE + TARGET + 1}
    return build_backbone(ModelSection(**sizes), len(vocabulary))


def optimizer_for(steps, rate):
    """AdamW with a rate that rises over the first steps and then falls to zero."""
    rise = max(1, steps // 20)
    falling = keras.optimizers.schedules.CosineDecay(
        0.0, steps - rise, warmup_target=rate, warmup_steps=rise
    )
    return keras.optimizers.AdamW(falling, weight_decay=0.01, beta_2=0.98, global_clipnorm=1.0)


def some(arrays, rows):
    """Some rows of a dict of arrays."""
    return {name: array[rows] for name, array in arrays.items()}


def trained(model, arrays, labels, steps, rate, size=64):
    """Train on random batches; the mean loss of every ten steps."""
    if not model.compiled:
        model.compile(optimizer=optimizer_for(steps, rate), jit_compile=False)
    elif model.optimizer.built:  # it begins anew, as if nothing had been trained
        for variable in model.optimizer.variables:
            variable.assign(ops.zeros_like(variable))
    rng, means = np.random.default_rng(0), []
    for number in range(1, steps + 1):
        rows = rng.integers(len(labels), size=size)
        loss = model.train_on_batch(some(arrays, rows), labels[rows])
        if number % 10 == 0:
            means.append(float(loss))
            model.reset_metrics()  # so that the next figure is the mean of the next steps
    return means


class Writer(PrefixWriter):
    """The library's writer, with a mask of our choice."""

    def __init__(self, backbone, mask_of):
        super().__init__(backbone)
        self.mask_of = mask_of

    def call(self, inputs, training=None):
        mask = self.mask_of(inputs["segment_ids"], inputs["padding_mask"])
        states = self.backbone({**inputs, "attention_mask": mask})["sequence_output"]
        return self.score(states)


def until_end(ids):
    """The tokens of what was said, up to [SEP]."""
    ids = [int(i) for i in ids]
    end = ids.index(vocabulary.sep_id) if vocabulary.sep_id in ids else len(ids)
    return tuple(vocabulary.words(ids[:end]))


def draw_losses():
    """Curves of all models trained so far."""
    words = chart_words(LANG)
    with chart(1, width=5.0, height=3.2) as (axis,):
        for i, (name, means) in enumerate(losses_of.items()):
            steps = 10 * np.arange(1, len(means) + 1)
            axis.plot(steps, means, color=COLOURS[i], linestyle=STYLES[i % 4], label=words(*name))
        axis.set(
            xlabel=words("步", "step"), ylabel=words("训练损失", "training loss"), ylim=(0, None)
        )
        axis.legend(frameon=False, fontsize=9)


# %% tags=["experiment"]
if ready("prefix_mask"):
    sheet_arrays = packing.pack_batch(sheet_ids[:-100], vocabulary, SOURCE + TARGET)
    following = sheet_arrays["segment_ids"][:, 1:] == 1  # the next token is one to be written
    sheet_labels = np.full_like(sheet_arrays["token_ids"], -1)  # -1 doesn't count
    sheet_labels[:, :-1] = np.where(following, sheet_arrays["token_ids"][:, 1:], -1)
    test_sources = packing.pack_batch(
        [(one, None) for one, _ in sheet_ids[-100:]], vocabulary, SOURCE
    )
    ways = {("前缀掩码", "prefix mask"): prefix_mask, ("全开", "all open"): all_open}
    for name, mask_of in ways.items():
        keras.utils.set_random_seed(1)
        writer = Writer(new_backbone(), mask_of)
        losses_of[name] = trained(writer, sheet_arrays, sheet_labels, STEPS, 3e-3)
        said = writer.generate(
            test_sources["token_ids"],
            test_sources["padding_mask"],
            end_id=vocabulary.sep_id,
            max_length=TARGET,
        )
        wrote[name] = [until_end(ids) for ids in np.asarray(said)]
        starts[name] = writer.backbone.get_weights()
        right = np.mean([one == two for one, (_, two) in zip(wrote[name], sheet_test)])
        say(
            f"{name[0]}：最后的训练损失 {losses_of[name][-1]:.3f}，一字不差的 {right:.2f}",
            f"{name[1]}: training loss in the end {losses_of[name][-1]:.3f}, exactly right "
            f"{right:.2f}",
        )
        for one in wrote[name][:3]:
            print("   ", glue.join(one))
    say("应当是", "the references")
    for _, target in sheet_test[:3]:
        print("   ", glue.join(target))
    draw_losses()

# %% [markdown] lang="zh"
r"""
光看两条损失，你分得出谁好谁坏吗？全开的那个，答案就在右边一格，看得见，它练的是抄下一格。真写起来，右边什么也没有，这本事就没了用处：格式还像那么回事，该从原文里抄的值却靠猜。**训练损失低，写出来的却不对**：看到这样的组合，先查掩码。（验证集上的损失也救不了你，那里一样看得见答案；要看写出来的东西。）
"""

# %% [markdown] lang="en"
r"""
From the two losses alone, could you tell which is good and which is bad? For the one that is all open, the answer stands one place to the right, in full view, and what it practises is to copy the next place. When it comes to writing there is nothing on the right, and the skill is worthless: the form still looks right, but values that ought to be copied from the source are guesses. **A low training loss and wrong texts**: when you see these two together, look at the mask first. (The loss on a dev part won't help you, the answer is in view there, too; look at what is written.)
"""

# %% [markdown] lang="zh"
r"""
## 6c.4 练习：从 BERT 出发的编码器和解码器

另一条路，是 3c 的编码器加解码器，两边都从 BERT 出发（[BERT2BERT](https://arxiv.org/abs/1907.12461)）。编码器就是 BERT，原封不动。解码器的块比 BERT 的块多一份东西：

```text
BERT 的块（3b 的 EncoderBlock）           解码器块（3b 的 DecoderBlock）
self_attention                     →      self_attention               加一张因果掩码
self_attention_layer_norm          →      self_attention_layer_norm
                                          cross_attention              看原文
                                          cross_attention_layer_norm
feed_forward                       →      feed_forward
feed_forward_layer_norm            →      feed_forward_layer_norm
```

同名的抄过来；交叉注意力，BERT 里没有，只好从头学。“装载检查点”最怕悄悄失败：名字没对上，参数没装进去，程序却一声不吭地训练下去（5c 的 `convert_name`，6a 的找错练习）。所以这个函数还要**交账**：每一个参数，是抄来的还是没动的，一个也不漏。
"""

# %% [markdown] lang="en"
r"""
## 6c.4 Exercise: an encoder and a decoder that start from BERT

The other road is the encoder and decoder of 3c, both starting from BERT ([BERT2BERT](https://arxiv.org/abs/1907.12461)). The encoder is BERT just as it is. A decoder block has one thing more than a block of BERT:

```text
BERT's block (EncoderBlock of 3b)         decoder block (DecoderBlock of 3b)
self_attention                     →      self_attention               with a causal mask
self_attention_layer_norm          →      self_attention_layer_norm
                                          cross_attention              looks at the source
                                          cross_attention_layer_norm
feed_forward                       →      feed_forward
feed_forward_layer_norm            →      feed_forward_layer_norm
```

What has the same name is copied; for cross-attention BERT has nothing, so it is learnt from scratch. The worst thing about loading checkpoints is that it fails silently: names don't match, nothing is loaded, and training goes on without a word (`convert_name` of 5c, the drill of 6a). So this function also **keeps a record**: of every weight it says whether it was copied or left alone.
"""

# %% [markdown] lang="zh"
r"""
写 `warm_start_seq2seq(decoder_blocks, encoder_blocks)`：

| 参数 | 说明 |
|---|---|
| `decoder_blocks` | 解码器块的列表，参数都已经建好。每一块有六个子层：`self_attention`、`self_attention_layer_norm`、`cross_attention`、`cross_attention_layer_norm`、`feed_forward`、`feed_forward_layer_norm` |
| `encoder_blocks` | BERT 的块的列表，同样大小。每一块有四个子层：少了上面名字里带 `cross` 的两个 |

- 第 l 个解码器块从第 l 个编码器块抄。编码器的块多，就只用前几个；**解码器的块多，抛出 `ValueError`**，这时一个参数也别动。
- 名字相同的子层：参数的**值**全部抄过来。抄的是值：以后编码器再变，解码器不跟着变。编码器的参数不动。
- 交叉注意力和它的归一化，BERT 没有，**保持原样**。别拿自注意力的参数去填。
- **返回**一对列表 `(copied, fresh)`：抄过来的、保持原样的解码器参数的 `path`（字符串），每个恰好出现一次，两个列表合起来就是所有解码器块的全部参数。列表里的次序随意。
- 子层是块的属性，例如 `block.self_attention`；名字是字符串时，用 `getattr(block, name)`。它们都是 Keras 的层：`layer.weights` 是参数的列表，每个有 `path`；`layer.get_weights()` 和 `layer.set_weights(...)` 读写它们的值。同名的子层，参数的次序和形状都一样。
"""

# %% [markdown] lang="en"
r"""
Write `warm_start_seq2seq(decoder_blocks, encoder_blocks)`:

| Argument | Notes |
|---|---|
| `decoder_blocks` | a list of decoder blocks with all their weights built. Each has six sublayers: `self_attention`, `self_attention_layer_norm`, `cross_attention`, `cross_attention_layer_norm`, `feed_forward`, `feed_forward_layer_norm` |
| `encoder_blocks` | a list of BERT's blocks, of the same sizes. Each has four sublayers: the same, except the two with `cross` in their name |

- Decoder block l takes from encoder block l. Where the encoder has more blocks, only its first ones are used; where the **decoder has more, raise `ValueError`**, and move no weight at all.
- Sublayers of the same name: all **values** of weights are copied. Values, that is: if the encoder changes later, the decoder doesn't. The encoder's own weights stay.
- Cross-attention and its norm have nothing in BERT to take from and **stay as they are**. Don't fill them with self-attention's weights.
- **Returns** a pair of lists `(copied, fresh)`: the `path` (a string) of every weight of the decoder that was copied, and of every one that stayed as it was; each exactly once, so that both lists together are all weights of all decoder blocks. The order within a list is up to you.
- Sublayers are attributes of their block, as in `block.self_attention`, or `getattr(block, name)` if the name is a string. They are Keras layers: `layer.weights` is the list of weights, each with its `path`; `layer.get_weights()` and `layer.set_weights(...)` read and write their values. Sublayers of the same name have weights of the same order and shapes.
"""


# %% exercise="warm_start_seq2seq"
def warm_start_seq2seq(decoder_blocks, encoder_blocks):
    """Give the blocks of a decoder the weights of an encoder's, where both have the same part.

    Args:
        decoder_blocks: list of built decoder blocks, with the sublayers self_attention,
            cross_attention and feed_forward, and of each the norm {name}_layer_norm.
        encoder_blocks: list of built encoder blocks of the same sizes, without those of
            cross_attention; at least as many, of which the first ones are taken.

    Returns:
        The pair (copied, fresh): lists of the paths of the decoder's weights, str.

    Raises:
        ValueError: there are more decoder blocks than encoder blocks.
    """
    ### BEGIN SOLUTION
    if len(decoder_blocks) > len(encoder_blocks):
        raise ValueError(
            f"{len(decoder_blocks)} decoder blocks can't start from {len(encoder_blocks)}"
        )
    copied, fresh = [], []
    for decoder, encoder in zip(decoder_blocks, encoder_blocks):
        for part in ("self_attention", "cross_attention", "feed_forward"):
            for name in (part, f"{part}_layer_norm"):
                layer = getattr(decoder, name)
                paths = [weight.path for weight in layer.weights]
                if part == "cross_attention":
                    fresh += paths
                else:
                    layer.set_weights(getattr(encoder, name).get_weights())
                    copied += paths
    return copied, fresh
    ### END SOLUTION


# %% check="warm_start_seq2seq"
check("warm_start_seq2seq", warm_start_seq2seq)

# %% [markdown] lang="zh"
r"""
**看一看。** BERT-base 大小的一块（768 维，12 个头），照你交的账画出来。先猜：一个解码器块里，没处抄的参数占几成？
"""

# %% [markdown] lang="en"
r"""
**See it.** A block of the size of BERT-base (768 wide, 12 heads), drawn from your record. Predict: which share of the weights of a decoder block has nowhere to be copied from?
"""

# %% tags=["experiment"]
from bert_keras.analysis.origin_map import origin_map
from bert_keras.layers.decoder import DecoderBlock
from bert_keras.layers.transformer import EncoderBlock

if ready("warm_start_seq2seq"):
    bert_block = EncoderBlock(12, 768, 3072)
    decoder_block = DecoderBlock(12, 768, 3072)
    bert_block.build((None, None, 768))
    decoder_block.build((None, None, 768), (None, None, 768))
    copied, fresh = warm_start_seq2seq([decoder_block], [bert_block])
    display(origin_map(decoder_block, copied, fresh, LANG))
    sizes = {weight.path: math.prod(weight.shape) for weight in decoder_block.weights}
    new = sum(sizes[path] for path in fresh)
    say(
        f"一块里没处抄的占 {new / sum(sizes.values()):.3f}；十二块一共 {12 * new:,} 个参数",
        f"nothing to copy from: {new / sum(sizes.values()):.3f} of a block; "
        f"{12 * new:,} weights in twelve blocks",
    )
    del bert_block, decoder_block

# %% [markdown] lang="zh"
r"""
四分之一要从头学。把 BERT-base 这样变成一个写作模型，新参数就有 2800 多万个：它们没有见过任何文字，得靠写作的训练数据教会。前缀掩码那条路没有这笔账：块里一个新参数也没有，头也可以用预训练时的那一个。这是它的好处；坏处是原文和要写的部分挤在一行里，行要长一些。

## 6c.5 用一用：从哪里出发

没有大 BERT 可用，就拿 6c.3 里练过的那摞块（前缀掩码的那个）当“BERT”：它读过这种资料，但从来没有当过解码器。编码器和解码器各两块，头都是新的，三个出发点，各练 60 步（电脑忙的话，要一两分钟）：

- 都是随机的；
- 编码器抄来，解码器随机；
- 编码器抄来，解码器用你的 `warm_start_seq2seq` 从编码器抄。

**先猜**三条训练损失的高低。它当的是替身，练过的又正是同一种资料，所以这里只看次序，别把差距当真；真正的 BERT 抄来的参数值多少，要另做实验。
"""

# %% [markdown] lang="en"
r"""
A quarter has to be learnt from scratch. Turn BERT-base into a writer this way, and there are more than 28 million new weights, which have never seen any text and have to learn from the data for writing alone. The road of the prefix mask has no such bill: no weight of any block is new, and the head can be that of pretraining. That is its advantage; its drawback is that source and target share one row, which has to be longer.

## 6c.5 Use it: where to start from

We have no large BERT here, so let the stack that was trained in 6c.3, the one with the prefix mask, stand in for "BERT": it has read such sheets, but has never been a decoder. Encoder and decoder have two blocks each, the head is new in every case, and there are three starting points, with 60 steps from each (a minute or two on a busy computer):

- all random;
- the encoder copied, the decoder random;
- the encoder copied, and the decoder copied from it by your `warm_start_seq2seq`.

**Predict** the order of the three training losses. The stand-in has practised on the very same kind of sheets, so look at the order only and don't take the distances at face value; what a real BERT gains by it takes an experiment of its own.
"""

# %% tags=["experiment"]
from bert_keras.models.writers import BertSeq2Seq

if starts and ready("prefix_mask", "warm_start_seq2seq"):
    targets = [target for _, target in sheet_ids[:-100]]
    two_arrays = packing.pack_batch(
        [(one, None) for one, _ in sheet_ids[:-100]], vocabulary, SOURCE
    )
    given = np.full((len(targets), TARGET), vocabulary.pad_id, "int32")
    two_labels = np.full((len(targets), TARGET), -1, "int32")
    for row, target in enumerate(targets):
        given[row, : len(target) + 1] = [vocabulary.cls_id, *target]  # shifted right, as in 1a
        two_labels[row, : len(target) + 1] = [*target, vocabulary.sep_id]
    two_arrays["target_ids"] = given
    practised = starts["前缀掩码", "prefix mask"]
    losses_of = {}
    keras.utils.set_random_seed(2)
    two_stacks = BertSeq2Seq(new_backbone(), dropout=0.0)
    random_weights = two_stacks.get_weights()
    for name, is_encoder_copied, is_decoder_copied in (
        (("都随机", "all random"), False, False),
        (("只抄编码器", "encoder copied"), True, False),
        (("两边都抄", "both copied"), True, True),
    ):
        two_stacks.set_weights(random_weights)
        if is_encoder_copied:
            two_stacks.backbone.set_weights(practised)
        if is_decoder_copied:
            warm_start_seq2seq(two_stacks.decoder_blocks, two_stacks.backbone.encoder_blocks)
        losses_of[name] = trained(two_stacks, two_arrays, two_labels, 60, 1e-3, size=32)
        print(text(*name), *(f"{loss:.2f}" for loss in losses_of[name]))
    draw_losses()

# %% [markdown] lang="zh"
r"""
看看哪条线降得快。抄编码器的好处应当一眼看得出来：原文已经读好了。再抄解码器，有没有更好，照你的曲线说。没有也别奇怪：交叉注意力是随机的，解码器每一块里都插进来一段噪声，得先学会看原文，抄来的本事才用得上；要写的又只有几个词元，解码器从头学也不难。
"""

# %% [markdown] lang="en"
r"""
See which curve falls fast. What the copied encoder is worth should show at once: the source has been read already. Whether copying the decoder, too, is any better, let your curves say. Don't be surprised if it isn't: cross-attention is random and puts noise into every block of the decoder, which has to learn to look at the source before what was copied is of use; and with so short a text to write, a decoder can learn its part from scratch.
"""

# %% [markdown] lang="zh"
r"""
## 6c.6 练习：先找证据

写得通顺，不等于写得对。一个写作模型从参数里“想起来”的东西，谁也说不清出处。可靠的办法是把**话**和**资料**摆在一起核对，分两步：

1. 从资料里找出可能有关的几条（检索，retrieval）；
2. 一条一条地判断：支持、反驳，还是说不准。

第一步要快，资料可能成千上万。老办法管用：数两边共有的词。**少见的词**说明问题（“青川”只有一条资料里有，“的”条条都有）；同一个词**重复**多少次，越往后越不值钱；**长**的资料什么词都容易碰上，要打些折扣。把这三条写成公式，就是 BM25，一个参数也不用学，到今天还是检索的基线。
"""

# %% [markdown] lang="en"
r"""
## 6c.6 Exercise: find the evidence first

Fluent isn't the same as right. What a writer "remembers" from its weights has no source that anybody could name. What can be relied on is to hold a **claim** against **statements**, in two steps:

1. find those that may have to do with it (retrieval);
2. judge one by one: supported, refuted, or not to be told.

The first step has to be fast, there may be thousands of statements. An old way does well: count the words in common. **Rare words** tell most (one statement has "Osk", all of them have "the"); every further **repetition** of a word is worth less; a **long** statement happens to have all sorts of words, and is discounted. Put these three into a formula, and you have BM25, which learns nothing at all and is the baseline of retrieval to this day.
"""

# %% [markdown] lang="zh"
r"""
写 `retrieve_evidence(claim, texts, count, saturation=1.2, length_share=0.75)`：

| 参数 | 说明 |
|---|---|
| `claim` | 字符串，要核对的话 |
| `texts` | 字符串的列表，资料；可以是空的 |
| `count` | 整数 ≥ 1，最多要几条；不够就全都要 |
| `saturation` | 浮点 > 0，公式里的 $k$：重复多少次以后就不怎么加分了 |
| `length_share` | 浮点，0 到 1，公式里的 $b$：长短算不算 |

词都用 `basic_tokenize` 切（已导入；英文变小写，标点自成一个词；中文一个字是一个词）。第 i 条资料的分数：

$$\text{score}_i = \sum_{w} \ln\!\left(1 + \frac{N - n_w + 0.5}{n_w + 0.5}\right) \cdot \frac{c_{iw}\,(k + 1)}{c_{iw} + k\,(1 - b + b\, l_i / \bar l)}$$

- $w$ 取遍断言里**不同的**词：断言里重复的词只算一次。
- $N$ 是资料的条数，$n_w$ 是有 $w$ 的资料的条数，$c_{iw}$ 是 $w$ 在第 i 条里出现的次数，$l_i$ 是第 i 条的词数（重复的也数），$\bar l$ 是 $l_i$ 的平均。
- 一条资料里没有的词，加 0 分。一个词也不沾边的资料得 0 分，但**照样排在名单里**。
- **返回**整数的列表：分数最高的 `count` 条的编号（从 0 数起），最好的在前；**同分时编号小的在前**。没有资料，返回 `[]`。
- 这一题不进计算图，纯 Python 就行。
"""

# %% [markdown] lang="en"
r"""
Write `retrieve_evidence(claim, texts, count, saturation=1.2, length_share=0.75)`:

| Argument | Notes |
|---|---|
| `claim` | a string, what is to be checked |
| `texts` | a list of strings, the statements to search; may be empty |
| `count` | int ≥ 1, how many to return at most; all of them if there are fewer |
| `saturation` | float > 0, $k$ in the formula: how soon repetitions stop counting |
| `length_share` | float from 0 to 1, $b$ in the formula: how much length counts |

Words are what `basic_tokenize` makes (imported; English becomes lower case and punctuation marks are words of their own; in Chinese every character is a word). The score of statement i:

$$\text{score}_i = \sum_{w} \ln\!\left(1 + \frac{N - n_w + 0.5}{n_w + 0.5}\right) \cdot \frac{c_{iw}\,(k + 1)}{c_{iw} + k\,(1 - b + b\, l_i / \bar l)}$$

- $w$ runs over the **different** words of the claim: one that is repeated there counts once.
- $N$ is the number of statements, $n_w$ how many of them have $w$, $c_{iw}$ how often $w$ stands in statement i, $l_i$ the number of words in statement i (repetitions included), and $\bar l$ the mean of all $l_i$.
- A word that isn't in a statement adds 0. A statement that shares no word scores 0 and **still has its place in the list**.
- **Returns** a list of ints: the numbers (from 0) of the `count` best statements, best first; **of equals the one with the smaller number comes first**. No statements: `[]`.
- This one never runs in a graph; plain Python will do.
"""


# %% exercise="retrieve_evidence"
def retrieve_evidence(claim, texts, count, saturation=1.2, length_share=0.75):
    """Find the statements that share the most telling words with a claim, by BM25.

    Args:
        claim: str.
        texts: list of str, may be empty.
        count: int, at least 1, how many to return at most.
        saturation: float, above 0, how soon repetitions stop counting (k).
        length_share: float from 0 to 1, how much a statement's length counts (b).

    Returns:
        List of int, numbers of statements, the best first; of equals, the earlier one.
    """
    ### BEGIN SOLUTION
    words_of = [basic_tokenize(one) for one in texts]
    mean = sum(map(len, words_of)) / max(1, len(texts))
    scores = [0.0] * len(texts)
    for word in dict.fromkeys(basic_tokenize(claim)):
        holding = sum(word in words for words in words_of)
        rarity = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for number, words in enumerate(words_of):
            times = words.count(word)
            if times:
                length = 1 - length_share + length_share * len(words) / mean
                scores[number] += rarity * times * (saturation + 1) / (times + saturation * length)
    # Sorting keeps the order of equals.
    return sorted(range(len(texts)), key=lambda number: -scores[number])[:count]
    ### END SOLUTION


# %% check="retrieve_evidence"
check("retrieve_evidence", retrieve_evidence)

# %% [markdown] lang="zh"
r"""
**看一看：重复的词。** 公式里的第二个分数，随次数 $c$ 怎么长？（长度取平均，$b$ 不起作用。）
"""

# %% [markdown] lang="en"
r"""
**See it: repeated words.** How does the second fraction of the formula grow with the count $c$? (The length is the mean, so that $b$ has no effect.)
"""

# %% tags=["experiment"]
words = chart_words(LANG)
with chart(1, width=4.4, height=2.9) as (axis,):
    counts = np.arange(0, 9)
    for i, k in enumerate((0.3, 1.2, 5.0)):
        share = counts * (k + 1) / (counts + k)
        axis.plot(counts, share, color=COLOURS[i], marker=MARKERS[i], label=f"k = {k}")
    axis.set(xlabel=words("次数 c", "count c"), ylabel=words("值多少", "worth"), ylim=(0, None))
    axis.legend(frameon=False, fontsize=9)

# %% [markdown] lang="zh"
r"""
出现一次总值 1 分，再多，最多值到 $k + 1$ 分：一条资料靠把一个词说上一百遍，是刷不了分的。

**用一用：造出来的资料库。** 每条断言配十一二条资料，说的是三个地方的同几样事实；断言用的是另一种说法。被反驳的断言，说的是另一个地方的事实；说不准的断言，资料里正好缺了那一条。所以**光看断言，猜不出答案**。标签由程序造出来，不会错。

**先猜**：按共有的词来找，该找的那条排第一的有几成？排进前三的呢？
"""

# %% [markdown] lang="en"
r"""
Once is always worth 1, and no number of repetitions is worth more than $k + 1$: a statement gains nothing by saying a word a hundred times.

**Use it: a generated store.** Every claim has eleven or twelve statements, which tell the same few facts of three places; the claim says it in other words. What is refuted is true of another place, and where nothing can be told, just that one statement is missing. So **the claim alone gives nothing away**. Labels are made by the program, and right.

**Predict**: going by words in common, how often is the statement that decides ranked first? And how often among the first three?
"""

# %% tags=["experiment"]
from bert_keras.analysis.evidence_strips import evidence_strips
from bert_keras.text.corpora import bars, generated_claims
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import LabelledText
from bert_keras.text.retrieval import BM25

claims = generated_claims.load(language=LANG)
claim_test = claims["test"][:200]
LABELS = (
    text("支持", "supported"),
    text("反驳", "refuted"),
    text("资料不足", "not enough information"),
)
for row in claim_test[:3]:
    print(f"{row.claim}  →  {LABELS[row.label]}")
if ready("retrieve_evidence"):
    for row in claim_test:  # until one is found whose evidence isn't ranked first
        found = retrieve_evidence(row.claim, row.store, 4)
        if row.evidence in found[1:]:
            break
    scores = BM25(row.store).scores(row.claim)
    strips = [(basic_tokenize(row.store[n]), scores[n], None, n == row.evidence) for n in found]
    names = (text("得分", "score"), *LABELS)
    display(evidence_strips(basic_tokenize(row.claim), strips, names, LANG))
    with_evidence = [row for row in claim_test if row.evidence >= 0]
    for count in (1, 2, 3, 6):
        share = np.mean(
            [
                row.evidence in retrieve_evidence(row.claim, row.store, count)
                for row in with_evidence
            ]
        )
        say(
            f"前 {count} 条里有：{share:.3f}；随便挑 {count} 条：{count / 12:.3f}",
            f"among the first {count}: {share:.3f}; among {count} at random: {count / 12:.3f}",
        )

# %% [markdown] lang="zh"
r"""
框起来的是真正该看的那一条，这里它没有排第一。蓝底是断言里也有的词：**地名**帮了大忙，可光靠它不够：同一个地方有好几条资料，要靠别的词来分，断言换了说法，那些词就可能对不上；别处的资料碰巧也有一个少见的词（比如同一个值），分数也会高上去。这里是哪一种？BM25 只认词，不认意思。
"""

# %% [markdown] lang="en"
r"""
The statement in the frame is the one that decides, and here it isn't ranked first. Words that stand in the claim, too, are on blue: the **name** of the place helps a lot, but it isn't all that counts. Other words have to tell several statements about one place apart, and since the claim is worded differently, those may not match; and a statement about another place may happen to share a rare word, such as a value, and score more. Which of the two happened here? BM25 knows words, not what they mean.
"""

# %% [markdown] lang="zh"
r"""
## 6c.7 练习：再下判断

写 `verify_claim(claim, texts, retrieve, classify, count)`：

| 参数 | 说明 |
|---|---|
| `claim` | 字符串 |
| `texts` | 字符串的列表，资料 |
| `retrieve` | `retrieve(claim, texts, count)` 返回编号的列表，最好的在前；可能是空的，也可能不到 `count` 个 |
| `classify` | `classify(claim, text)` 返回三个概率：支持（0）、反驳（1）、资料不足（2），按这个次序，加起来是 1 |
| `count` | 整数，交给 `retrieve` |

- 找到的每一条资料，各问 `classify` 一次；没找到的不问。
- 一条证据的**把握**是前两个概率中较大的那个。把握最大的那一条说了算；一样大时，`retrieve` 排在前面的那条说了算。
- 说了算的那一条，要是第三个概率**大于**它的把握，答案是 `(2, -1)`；否则判断是 0 或 1，看前两个概率哪个大，一样大算 0，连同这条证据的编号一起返回。
- 什么也没找到：`(2, -1)`。
- **返回**两个 Python 整数：判断，和证据在 `texts` 里的编号（没有就是 −1）。
"""

# %% [markdown] lang="en"
r"""
## 6c.7 Exercise: then judge

Write `verify_claim(claim, texts, retrieve, classify, count)`:

| Argument | Notes |
|---|---|
| `claim` | a string |
| `texts` | a list of strings, the statements |
| `retrieve` | `retrieve(claim, texts, count)` returns a list of numbers, best first; it may be empty or shorter than `count` |
| `classify` | `classify(claim, text)` returns three probabilities: supported (0), refuted (1), not enough information (2), in this order; they add up to 1 |
| `count` | an int for `retrieve` |

- Ask `classify` once about every statement that was found, and about no other.
- How **confident** a piece of evidence is, is the larger of its first two probabilities. The most confident one decides; among equals, the one that `retrieve` ranks first.
- If the third probability of the deciding one is **larger** than that confidence, the answer is `(2, -1)`; otherwise the verdict is 0 or 1, whichever of its first two probabilities is larger, and 0 if they are equal, together with the number of this piece of evidence.
- Nothing found: `(2, -1)`.
- **Returns** two Python ints: the verdict, and the number of the evidence in `texts` (−1 for none).
"""


# %% exercise="verify_claim"
def verify_claim(claim, texts, retrieve, classify, count):
    """Judge a claim by the statement that is surest about it.

    Args:
        claim: str.
        texts: list of str.
        retrieve: callable (claim, texts, count) to a list of numbers of texts, the best first.
        classify: callable (claim, text) to three probabilities: supported, refuted, not enough
            information.
        count: int, handed to `retrieve`.

    Returns:
        The pair of ints (label, number): 0, 1 or 2, and the number of the statement that decided,
        -1 where the label is 2.
    """
    ### BEGIN SOLUTION
    surest, answer = -1.0, (2, -1)
    for number in retrieve(claim, texts, count):
        supported, refuted, unknown = classify(claim, texts[number])
        sure = max(supported, refuted)
        if sure > surest:
            surest = sure
            answer = (2, -1) if unknown > sure else (int(refuted > supported), int(number))
    return answer
    ### END SOLUTION


# %% check="verify_claim"
check("verify_claim", verify_claim)

# %% [markdown] lang="zh"
r"""
**用一用：训练一个裁判。** `classify` 是一个小 BERT，断言和资料拼成一行（6a 的 `pair_logits`），三类。训练的材料：每条断言配上该看的那条（支持或反驳），再配一条最像却不该看的（资料不足）。

从头开始的小模型，很难在半分钟里自己学会“两边有没有同一个词”；大的 BERT 在预训练里早就会了。这里给它一根拐杖：片段号不止 0 和 1，还有 2 和 3，意思是“这个词，另一段里也有”。拐杖只认**相同**，意思还得它自己学。（训练大约半分钟，电脑忙的话一分钟。）

**先猜**：一个只读断言的模型能猜对几成？看前 1、2、3、12 条资料呢，是不是看得越多越好？
"""

# %% [markdown] lang="en"
r"""
**Use it: train a judge.** `classify` is a small BERT that reads claim and statement as one row (`pair_logits` of 6a), with three classes. Its training rows: every claim with the statement that decides (supported or refuted), and every claim with the most similar one that doesn't (not enough information).

A small model from scratch will hardly learn by itself, within half a minute, to see whether the same word stands on both sides; a large BERT has learnt that in its pretraining. So this one gets a crutch: segments are not only 0 and 1, but also 2 and 3, which say "the other text has this word, too". The crutch knows what is the **same**; what it means is left to learn. (Training takes about half a minute, a whole one on a busy machine.)

**Predict**: how often can a model that reads only the claim be right? And how often if 1, 2, 3 or 12 statements are looked at: is more always better?
"""

# %% tags=["experiment"]
from collections import Counter

from bert_keras.models.bert import BertBackbone

PAIR = {"zh": 48, "en": 32}[LANG]  # of a row
SIZES = {"num_layers": 2, "num_heads": 2, "hidden_dim": 64, "intermediate_dim": 256}


class Judge(keras.Model):
    """A backbone with four segments, and three classes read at [CLS]."""

    def __init__(self, vocabulary_size):
        super().__init__()
        self.backbone = BertBackbone(
            vocabulary_size,
            **SIZES,
            max_sequence_length=PAIR,
            num_segments=4,
            dropout=0.0,
            initializer_stddev=0.1,
        )
        self.backbone.pooler.trainable = False  # nobody reads it
        self.dense = keras.layers.Dense(3)

    def call(self, inputs):
        return self.dense(self.backbone(inputs)["sequence_output"][:, 0])

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return ops.mean(ops.sparse_categorical_crossentropy(y, y_pred, from_logits=True))


def pair_arrays(pairs, reader):
    """Claims beside statements, with segments that mark the words that both have."""
    ids = [(reader.encode(one), reader.encode(two)) for one, two in pairs]
    arrays = packing.pack_batch(ids, reader.vocabulary, PAIR)
    for row, pair in enumerate(pairs):
        one, two = map(basic_tokenize, pair)
        shared = [0, *(word in two for word in one), 0, *(word in one for word in two)][:PAIR]
        arrays["segment_ids"][row, : len(shared)] += 2 * np.array(shared, "int32")
    return arrays


judge = None  # trained below
if ready("retrieve_evidence", "verify_claim"):
    claim_pairs, claim_labels = [], []
    for row in claims["train"][:2000]:
        best = BM25(row.store).rank(row.claim, 2)
        other = best[0] if best[0] != row.evidence else best[1]
        claim_pairs.append((row.claim, row.store[other]))
        claim_labels.append(2)
        if row.evidence >= 0:
            claim_pairs.append((row.claim, row.store[row.evidence]))
            claim_labels.append(row.label)
    claim_labels = np.array(claim_labels, "int32")
    counts = Counter(word for pair in claim_pairs for one in pair for word in basic_tokenize(one))
    common = [word for word, count in counts.most_common() if count >= 3]
    reader = WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, *common]))
    keras.utils.set_random_seed(3)
    judge = Judge(len(reader.vocabulary))
    claim_losses = trained(judge, pair_arrays(claim_pairs, reader), claim_labels, 150, 2e-3)
    print(*(f"{loss:.2f}" for loss in claim_losses[1::2]))

# %% tags=["experiment"]
chances = {}
if judge is not None:
    asked = [(row.claim, one) for row in claim_test for one in row.store]
    logits = np.concatenate(
        [
            np.asarray(judge(pair_arrays(asked[start : start + 600], reader)))
            for start in range(0, len(asked), 600)
        ]
    )
    chances = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances = dict(zip(asked, chances / chances.sum(axis=-1, keepdims=True)))


def classify(claim, one):
    """Three probabilities, looked up: every pair has been computed above."""
    return chances[claim, one]


verdicts = {}
if chances and ready("retrieve_evidence", "verify_claim"):
    alone = {
        part: [LabelledText(row.claim, row.label) for row in rows]
        for part, rows in {**claims, "test": claim_test}.items()
    }
    try:
        share = bars.tfidf_logistic(alone, analyzer={"zh": "char", "en": "word"}[LANG])
        say(f"只看断言（TF-IDF）：{share:.3f}", f"the claim alone (TF-IDF): {share:.3f}")
    except CorpusError as problem:  # scikit-learn is missing
        print(problem)
    for count in (1, 2, 3, 12):
        verdicts[count] = [
            verify_claim(row.claim, row.store, retrieve_evidence, classify, count)
            for row in claim_test
        ]
        right = [label == row.label for (label, _), row in zip(verdicts[count], claim_test)]
        found = [
            row.label == 2 or number == row.evidence
            for (_, number), row in zip(verdicts[count], claim_test)
        ]
        accuracy, fever = np.mean(right), np.mean(np.logical_and(right, found))
        say(
            f"看 {count} 条：判断对的 {accuracy:.3f}；判断和证据都对的 {fever:.3f}",
            f"looking at {count}: verdict right {accuracy:.3f}; verdict and evidence right "
            f"{fever:.3f}",
        )
    for label in (1, 2):
        place = next(n for n, row in enumerate(claim_test) if row.label == label)
        row, (said, number) = claim_test[place], verdicts[3][place]
        scores = BM25(row.store).scores(row.claim)
        found = retrieve_evidence(row.claim, row.store, 3)
        strips = [
            (
                basic_tokenize(row.store[n]),
                scores[n],
                classify(row.claim, row.store[n]),
                n == number,
            )
            for n in found
        ]
        proof = ""
        if number >= 0 and row.evidence >= 0:
            is_right = number == row.evidence
            proof = text("，框着的证据", ", the framed evidence is ")
            proof += text("对", "right") if is_right else text("不对", "wrong")
        say(
            f"应当是“{LABELS[row.label]}”，判断是“{LABELS[said]}”{proof}：",
            f"should be “{LABELS[row.label]}”, the verdict is “{LABELS[said]}”{proof}:",
        )
        display(evidence_strips(basic_tokenize(row.claim), strips, names, LANG))

# %% [markdown] lang="zh"
r"""
图里三段颜色是三个概率，框着的是说了算的那条证据；判断是资料不足，就没有框。判断对、证据不对，那是蒙对的。

第二列数字更严：判断对了，**证据也得找对**，才算一条（说不准的不要求证据）。这是 [FEVER](https://arxiv.org/abs/1803.05355) 那套评测的算法。猜对的判断骗得过第一列，骗不过第二列。

条数要权衡：看得太少，该看的那条可能没有找到；看得多了，每多一条，就多一个可能自信地说错的机会，而 `verify_claim` 听的正是最自信的那个。上面的数字站在哪一边？两百条断言，标准误差最大有 3.5 个百分点，差得少就别下结论。
"""

# %% [markdown] lang="en"
r"""
The three colours of a bar are the three probabilities, and the frame is around the evidence that decided; where the verdict is that nothing can be told, there is none. A right verdict on wrong evidence is luck.

The second figure is stricter: not only the verdict, the **evidence has to be right, too** (none is asked for where nothing can be told). That is how [FEVER](https://arxiv.org/abs/1803.05355) scores. A lucky verdict gets past the first figure, but not past the second.

The number of statements is a matter of balance: with too few the one that decides may not be there; with every one more there is another that may be confidently wrong, and it is the most confident that `verify_claim` listens to. Which side do the figures above take? With two hundred claims the standard error is up to 3.5 points, so don't conclude anything from small differences.
"""

# %% [markdown] lang="zh"
r"""
## 6c.8 练习：写得像不像

最后回到写。写出来的摘要好不好，常用的是拿它跟一份标准答案比：ROUGE。ROUGE-1 数共有的词，ROUGE-2 数共有的两词组；ROUGE-L 看**最长公共子序列**：两边都有、次序也相同的词，最多能串起多少个，中间隔着别的词也行。

```text
写出来的：  the flag  shows        a lion
标准答案：  the flag  of Osk shows a bear        公共子序列：the flag shows a，长度 4
```
"""

# %% [markdown] lang="en"
r"""
## 6c.8 Exercise: how alike it is

Finally, back to writing. How good a summary is, is commonly measured by comparing it with a reference: ROUGE. ROUGE-1 counts words in common, ROUGE-2 pairs of neighbours in common; ROUGE-L looks at the **longest common subsequence**: how many words can be strung together that both have in the same order, whatever stands between them.

```text
written:    the flag  shows        a lion
reference:  the flag  of Osk shows a bear        in common: the flag shows a, 4 words
```
"""

# %% [markdown] lang="zh"
r"""
写 `rouge_l(candidate, reference)`：

| 参数 | 说明 |
|---|---|
| `candidate` | 词（字符串）的列表，写出来的 |
| `reference` | 词的列表，标准答案 |

- 先求**最长公共子序列**（LCS）的长度 $m$：两边都有的词，次序相同，中间可以隔着别的词；一个词在一边用过一次，就不能再用第二次。
- 精确率 $P = m / |\text{candidate}|$，召回率 $R = m / |\text{reference}|$，**返回** F1：$2PR / (P + R)$，一个 Python 浮点数，0 到 1。
- 有一边是空的，或者没有一个公共的词：返回 0.0。
- 词比较的时候分大小写，别再去切它们；传进来的列表别改动。几十个词的一对要在一眨眼之内算完，所以别把所有的子序列都试一遍。
"""

# %% [markdown] lang="en"
r"""
Write `rouge_l(candidate, reference)`:

| Argument | Notes |
|---|---|
| `candidate` | a list of words (strings), what was written |
| `reference` | a list of words to compare it with |

- First find the length $m$ of the **longest common subsequence** (LCS): words that stand in both, in the same order, with any gaps between them; a word that was used once on one side can't be used again.
- Precision is $P = m / |\text{candidate}|$, recall $R = m / |\text{reference}|$; **return** F1, $2PR / (P + R)$, a Python float from 0 to 1.
- If either is empty, or no word is in both: 0.0.
- Words are compared as they are, upper and lower case apart; don't split them any further, and don't change the lists. A pair of some dozens of words has to be done in the blink of an eye, so don't try all subsequences.
"""


# %% exercise="rouge_l"
def rouge_l(candidate, reference):
    """Score a text by the longest sequence of words that it has in common with another.

    Args:
        candidate: list of str, the words of what was written.
        reference: list of str, the words to compare it with.

    Returns:
        float from 0 to 1, F1 of the longest common subsequence; 0 where either is empty.
    """
    ### BEGIN SOLUTION
    # row[j]: how long it is for the words of candidate so far and the first j of reference.
    row = [0] * (len(reference) + 1)
    for word in candidate:
        above = row
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if word == other else max(above[j + 1], row[j]))
    if not row[-1]:
        return 0.0
    precision, recall = row[-1] / len(candidate), row[-1] / len(reference)
    return 2 * precision * recall / (precision + recall)
    ### END SOLUTION


# %% check="rouge_l"
check("rouge_l", rouge_l)

# %% [markdown] lang="zh"
r"""
**用一用：新闻的标题。** 标题就是一句话的摘要。课程里有标题的新闻是英文的（BBC）。先看一条不用训练的基线：照抄第一段开头的几个词，词数取训练标题的平均。**先猜**它的 ROUGE-L 有多少？把标题的词打乱，再跟自己比呢？
"""

# %% [markdown] lang="en"
r"""
**Use it: headlines.** A headline sums up a piece of news in a line. First a baseline that needs no training: repeat the first words of the first paragraph, as many as headlines have on average. **Predict** its ROUGE-L. And that of a headline against itself, with its words shuffled?
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import bbc_news

headline_scores = {}
if ready("rouge_l"):
    try:
        news = bbc_news.load_headlines()
    except CorpusError as problem:
        news = None
        say(f"取不到新闻，跳过：{problem}", f"the news could not be loaded; skipping: {problem}")
    if news:
        length = round(np.mean([len(basic_tokenize(row.target)) for row in news["train"]]))
        rng = np.random.default_rng(0)
        for row in news["test"]:
            said, wanted = (basic_tokenize(one) for one in row)
            shuffled = [str(word) for word in rng.permutation(wanted)]
            for name, candidate in (("first", said[:length]), ("shuffled", shuffled)):
                headline_scores.setdefault(name, []).append(rouge_l(candidate, wanted))
        for row, score in list(zip(news["test"], headline_scores["first"]))[:4]:
            print(f"{score:.2f}  {row.target}")
            print("     ", " ".join(basic_tokenize(row.source)[:length]))
        say(
            f"{len(news['test'])} 条标题：开头 {length} 个词 {np.mean(headline_scores['first']):.3f}；"
            f"打乱的标题 {np.mean(headline_scores['shuffled']):.3f}",
            f"{len(news['test'])} headlines: the first {length} words "
            f"{np.mean(headline_scores['first']):.3f}; shuffled headlines "
            f"{np.mean(headline_scores['shuffled']):.3f}",
        )

# %% [markdown] lang="zh"
r"""
打乱的标题一个词也不少，得分却掉了一大截：ROUGE-L 管次序。

“照抄开头”是摘要最难缠的基线：新闻本来就把要紧的写在前面。训练好的模型比得过它吗？见 6c.9。

**再用一用：像，还是真？** 拿该看的那条资料当标准答案，比三种话：被支持的断言（真话，换了说法）；把资料**照抄**一遍，只换掉一个值（假话，说法一样）；被反驳的断言（假话，说法也换了）。**先猜**：三种话的 ROUGE-L，哪种最高？
"""

# %% [markdown] lang="en"
r"""
The shuffled headlines lack no word, and yet they lose a good deal: ROUGE-L minds the order.

"Repeat the beginning" is the baseline that is hardest to beat: news puts first what matters most. Does a trained model beat it? That is the first experiment of 6c.9.

**Use it once more: alike, or true?** Let the statement that decides be the reference, and compare three kinds of sentences with it: supported claims, which are true and worded differently; the statement **repeated** with one value changed, which is false and worded alike; and refuted claims, false and worded differently. **Predict**: which of the three has the highest ROUGE-L?
"""

# %% tags=["experiment"]
alike = {}
if ready("rouge_l"):
    known = {
        fact.statement.format(n=name, v=value): (fact, name, value)
        for fact in FACTS[LANG]
        for name in places(LANG)
        for value in fact.values.split("|")
    }
    rng = np.random.default_rng(0)

    def with_another_value(statement):
        """The same statement, no longer true."""
        fact, name, value = known[statement]
        others = [other for other in fact.values.split("|") if other != value]
        return fact.statement.format(n=name, v=rng.choice(others))

    kinds = {"true": [], "copy": [], "false": []}
    for row in claim_test:
        if row.evidence >= 0:
            wanted = row.store[row.evidence]
            kinds["true" if row.label == 0 else "false"].append((row.claim, wanted))
            kinds["copy"].append((with_another_value(wanted), wanted))
    print(*kinds["copy"][0], sep="  /  ")
    kind_names = {
        "true": text("真话，换了说法", "true, worded differently"),
        "copy": text("假话，照抄换值", "false, one value changed"),
        "false": text("假话，换了说法", "false, worded differently"),
    }
    for kind, pairs in kinds.items():
        pairs = [map(basic_tokenize, pair) for pair in pairs]
        alike[kind] = float(np.mean([rouge_l(*pair) for pair in pairs]))
        print(f"ROUGE-L {alike[kind]:.3f}  {kind_names[kind]}")
    for label, answers in enumerate(("true", "false") if verdicts else ()):
        judged = [v[0] for v, row in zip(verdicts[3], claim_test) if row.label == label]
        share = np.mean(np.array(judged) == label)
        say(
            f"`verify_claim` 判对的：{kind_names[answers]} {share:.3f}",
            f"judged correctly by `verify_claim`: {kind_names[answers]} {share:.3f}",
        )

# %% [markdown] lang="zh"
r"""
照抄的假话只差一个值，公共子序列照样长，ROUGE-L 最高；真话换了说法，反倒低得多。ROUGE 量的是**说法**像不像，错的那个词跟别的词一样，只值一个词；真不真，核对了才知道。核对也会出错（看上面判对的比例），可是它说得出凭的是哪一条，你可以接着查。所以**摘要要报两个数**：像不像，和真不真。
"""

# %% [markdown] lang="en"
r"""
A statement repeated with one false value keeps a long common subsequence and has the highest ROUGE-L; what is true in other words scores far lower. ROUGE measures whether the **wording** is alike, and the word that is wrong counts for no more than any other; whether it is true, only checking can tell. Checking errs, too (see above how often it is right), but it names the statement it relies on, and you can look for yourself. So a **summary needs two figures**: how alike, and how true.
"""

# %% [markdown] lang="zh"
r"""
## 6c.9 存好的实验

每条断言都写在测量之前，成立不成立，照实打印。每个数都是至少三个种子的平均，± 后面是标准差。

**一、新闻的标题。** 英文新闻，一千六百多条标题；小 BERT（两个块，隐藏维度 64）先在同一家的新闻上预训练，或者从头开始；用一摞块加前缀掩码写，或者用编码器加解码器写。旁边是照抄开头几个词。
"""

# %% [markdown] lang="en"
r"""
## 6c.9 Stored experiments

Every claim was written down before anything was measured, and whether it held is printed as it came out. Every figure is a mean over three seeds at least, with the standard deviation behind ±.

**One: headlines.** English news, some sixteen hundred headlines; a small BERT (two blocks of hidden size 64) is first pretrained on the same newspaper, or starts from scratch; it writes as one stack with a prefix mask, or as an encoder and a decoder. Beside it, the first words repeated.
"""


# %% tags=["experiment"]
def verdict_of(result):
    """Print a claim and whether it held, part by part."""
    held = text("成立", "held") if result["holds"] else text("不成立", "did not hold")
    print(result["claim"][LANG], "→", held)
    parts = result.get("parts", {})
    if len(parts) > 1:
        each = {True: text("成立", "held"), False: text("不成立", "did not hold")}
        print("  ".join(f"({name}) {each[is_held]}" for name, is_held in parts.items()))


def table_of(figures):
    """Figures as lines: a name, then what belongs to it."""
    for name, inner in figures.items():
        row = (f"{key} {one['mean']:.3f} ± {one['sd']:.3f}" for key, one in inner.items())
        print(f"{name:22}", "  ".join(row))


stored_headlines = stored("headlines")
if stored_headlines:
    verdict_of(stored_headlines)
    table_of(stored_headlines["figures"])
    bars_of = {
        "first_words": ("照抄开头", "first words"),
        "prefix_pretrained": ("一摞，读过报纸", "one stack, pretrained"),
        "prefix_scratch": ("一摞，从头", "one stack, scratch"),
        "two_stacks_pretrained": ("两摞，读过报纸", "two stacks, pretrained"),
        "two_stacks_scratch": ("两摞，从头", "two stacks, scratch"),
    }
    words = chart_words(LANG)
    with chart(1, width=5.2, height=2.9) as (axis,):
        for place, name in enumerate(bars_of):
            one = stored_headlines["figures"][name]["rouge_l"]
            colour = COLOURS[6 if name == "first_words" else 0]
            axis.barh(place, one["mean"], xerr=one["sd"], color=colour, capsize=3)
        axis.set_yticks(range(len(bars_of)), [words(*pair) for pair in bars_of.values()])
        axis.invert_yaxis()
        axis.set(xlabel="ROUGE-L")

# %% [markdown] lang="zh"
r"""
**二、核对断言，不用拐杖。** 中文和英文；每条断言找两条资料，接在断言后面，小 BERT 一次读完，三类。片段号只有 0 和 1。旁边是只看断言的 TF-IDF，和只数断言与资料重合多少的逻辑回归。`fever` 要求证据也找对；`evidence_recall` 是找对的比例，只跟检索有关。
"""

# %% [markdown] lang="en"
r"""
**Two: checking claims without a crutch.** In Chinese and English; two statements are looked up for each claim and put behind it, and the small BERT reads all of it at once, with three classes and no segments but 0 and 1. Beside it, TF-IDF on the claim alone, and a logistic regression on how much claim and statements overlap. `fever` wants the evidence to be right, too; `evidence_recall` is how often it was found, which depends on the retrieval alone.
"""

# %% tags=["experiment"]
stored_claims = stored("claims_with_evidence")
if stored_claims:
    verdict_of(stored_claims)
    for language_of, figures in stored_claims["figures"].items():
        print(language_of)
        table_of(figures)

# %% [markdown] lang="zh"
r"""
## 6c.10 找错练习

下面的 `patient` 是一个用前缀掩码来写的循环：原文拼好，一次写一个词元，写到 [SEP] 为止。它跑得通，形状全对，可是有**一处**毛病。别的班拿到的毛病可能不一样。

`patient(sources, model, cls_id, sep_id, pad_id, max_length)`：

| 参数 | 说明 |
|---|---|
| `sources` | B 个整数列表，原文，长短不一，不带记号 |
| `model` | `model(token_ids, segment_ids, attention_mask)`，依次是整数 (B, T)、整数 (B, T)、布尔 (B, T, T)；返回 logits，(B, T, V)，位置 t 给第 t + 1 个词元打分 |
| `cls_id`、`sep_id`、`pad_id` | 三个记号的编号 |
| `max_length` | 整数，每行最多说几个词元，[SEP] 也算 |

每一行是 [CLS] 原文 [SEP]（片段 0），后面接上已经写出来的词元（片段 1），右边用填充补齐；谁能看谁照 6c.2，`prefix_mask` 可以用（检查时换成标准答案）。每一步，每一行从**自己最后一个真词元**的位置读分数，取最大的接上去；写出 [SEP] 的那一行就结束了，不再接，别的行接着写。

**返回**一对 `(said, scores)`：B 个整数列表，写出来的词元，不含 [SEP]；浮点数组 (B,)，每行写出的词元（[SEP] 也算）的**对数概率**之和。

1. 先别盯着代码看，做实验：只有一行和有两行时，结果一样吗？改掉原文的最后一个词元，第一个位置的分数动不动？`model` 收到的片段号和掩码是什么样的？写出 [SEP] 之后呢？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `source_causal` | 原文也只能往回看 |
| `source_sees_target` | 原文看得见写出来的词元 |
| `padding_visible` | 填充也有人看 |
| `target_in_segment_0` | 写出来的词元，片段号也是 0 |
| `last_column_read` | 分数总从最后一列读，短的行那里是填充 |
| `goes_on_after_end` | 写出 [SEP] 以后还接着写 |
| `all_stop_with_first` | 一行结束，所有的行都停了 |
| `logits_not_log_probabilities` | 加起来的是 logits，不是对数概率 |

说对名字得 1 分，修好得 5 分。
"""

# %% [markdown] lang="en"
r"""
## 6c.10 Debugging drill

`patient` below is a loop that writes with a prefix mask: it packs the sources, and writes one token at a time until [SEP]. It runs, all shapes are right, and it has **one** fault. Other classes may get other faults.

`patient(sources, model, cls_id, sep_id, pad_id, max_length)`:

| Argument | Notes |
|---|---|
| `sources` | B lists of ints, the sources, of various lengths, without special tokens |
| `model` | `model(token_ids, segment_ids, attention_mask)`: int (B, T), int (B, T) and bool (B, T, T), in this order; returns logits (B, T, V), position t scoring token t + 1 |
| `cls_id`, `sep_id`, `pad_id` | the ids of the three special tokens |
| `max_length` | int, how many tokens a row says at most, [SEP] included |

A row is [CLS] source [SEP] (segment 0), then what has been written so far (segment 1), filled up with padding on the right; who sees whom is as in 6c.2, and you may use `prefix_mask` (in the check it is the reference's). In every step each row reads its scores at **its own last real token** and appends the best; a row that says [SEP] has ended and gets no more tokens, while others go on.

It **returns** the pair `(said, scores)`: B lists of ints, the tokens that were written, without [SEP]; and a float array (B,), for each row the sum of the **log-probabilities** of all tokens it said, [SEP] included.

1. Don't stare at the code first; experiment: does a row alone give the same as with another beside it? Change the last token of a source: do the scores at its first place move? What do the segments and the mask look like that `model` gets? And what happens after [SEP]?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `source_causal` | the source looks back only, too |
| `source_sees_target` | the source sees what is written |
| `padding_visible` | padding is looked at |
| `target_in_segment_0` | what is written has segment 0, too |
| `last_column_read` | scores are always read in the last column, where shorter rows have padding |
| `goes_on_after_end` | it writes on after [SEP] |
| `all_stop_with_first` | all rows stop as soon as one has ended |
| `logits_not_log_probabilities` | what is added up is logits, not log-probabilities |

Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch06c_generate_and_verify"
from drill import patient, suspect, repaired

# %% check="drill_ch06c_generate_and_verify"
check("drill_ch06c_generate_and_verify", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 6c.11 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）没有前缀掩码的模型，可是它的 `TransformerEncoder` 收 `attention_mask`，布尔或整数，(B, T, T)，也是 `True` = 可以看。把你的掩码递进去，同样的参数，结果应当跟课程的 `EncoderBlock` 一样。解码器块是 `TransformerDecoder`（3b 比过），一个一个往下写的循环在 `keras_hub.samplers` 里（4b 说过）；`BertMaskedLM` 只会填空。（没装 KerasHub 就跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 6c.11 The same thing in KerasHub

KerasHub (`keras_nlp` in old code) has no model with a prefix mask, but its `TransformerEncoder` takes an `attention_mask` of shape (B, T, T), bool or int, with `True` = may look here, too. Hand your mask to it, with the same weights, and the result should be that of the course's `EncoderBlock`. A decoder block is `TransformerDecoder` (compared in 3b), loops that write are in `keras_hub.samplers` (mentioned in 4b); `BertMaskedLM` fills blanks only. (Without KerasHub the cell is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
if ready("prefix_mask"):
    try:
        from keras_hub.layers import TransformerEncoder as HubEncoder
    except ImportError:
        HubEncoder = None
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
    if HubEncoder is not None:
        keras.utils.set_random_seed(6)
        ours = EncoderBlock(4, 24, 48)  # GELU, epsilon 1e-6
        hub = HubEncoder(48, 4, activation="gelu", layer_norm_epsilon=1e-6)
        x = ops.convert_to_tensor(
            np.random.default_rng(6).normal(size=(2, 7, 24)).astype("float32")
        )
        hub_parts = np.array([[0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0, 0]])
        hub_real = np.arange(7) < np.array([[7], [5]])
        mask = prefix_mask(ops.convert_to_tensor(hub_parts), ops.convert_to_tensor(hub_real))
        our_output, _ = ours(x, attention_mask=mask)
        hub.build(x.shape)
        new_norm = [np.ones(24), np.zeros(24)]  # gamma and beta as in a new block
        attention, feed_forward = ours.self_attention, ours.feed_forward
        values = attention.get_weights() + 2 * new_norm + feed_forward.get_weights()
        for variable, value in zip(hub.trainable_variables, values):
            variable.assign(np.reshape(value, variable.shape))
        their_output = np.asarray(hub(x, attention_mask=mask))
        difference = np.abs(np.asarray(our_output) - their_output)[hub_real].max()
        print(
            f"keras_hub TransformerEncoder {difference:.0e}  {'OK' if difference < 1e-5 else '!!'}"
        )

# %% [markdown] lang="zh"
r"""
## 6c.12 常见误解

先逐句判断，再看数字。（第一句是 4b 留下的。）

1. BERT 完全不会生成文字。
2. BERT 是一个序列到序列的模型。
3. 解码器从 BERT 抄来参数，就什么也不用学了。
4. ROUGE 高的摘要，说的就是真的。
5. 检索的资料越多，核对得越准。
"""

# %% [markdown] lang="en"
r"""
## 6c.12 Myth box

Judge each sentence first, then look at the numbers. (The first was left open in 4b.)

1. BERT cannot generate text at all.
2. BERT is a sequence-to-sequence model.
3. A decoder that copies BERT's weights has nothing left to learn.
4. A summary with a high ROUGE tells the truth.
5. The more statements are looked up, the better the verdicts.
"""

# %% tags=["experiment"]
for name, texts_said in wrote.items():
    right = np.mean([one == two for one, (_, two) in zip(texts_said, sheet_test)])
    say(
        f"1 {name[0]}：一百条摘要里一字不差的 {right:.2f}",
        f"1 {name[1]}: exactly right {right:.2f} of a hundred summaries",
    )
if ready("prefix_mask"):
    together = np.ones((1, 6), bool)
    six = np.array([[0, 0, 0, 1, 1, 1]])
    cells = [
        int(np.asarray(way(ops.convert_to_tensor(six), ops.convert_to_tensor(together))).sum())
        for way in (prefix_mask, all_open)
    ]
    say(
        f"2 六个词元，开着的格子：前缀掩码 {cells[0]}，全开 {cells[1]}",
        f"2 open cells among six tokens: prefix mask {cells[0]}, all open {cells[1]}",
    )
if ready("warm_start_seq2seq"):
    say(
        f"3 base 的十二块里要从头学的：{12 * new:,}",
        f"3 new in twelve blocks of base: {12 * new:,}",
    )
if alike:
    say(
        f"4 ROUGE-L：换了说法的真话 {alike['true']:.3f}，照抄的假话 {alike['copy']:.3f}",
        f"4 ROUGE-L: true in other words {alike['true']:.3f}, repeated but false "
        f"{alike['copy']:.3f}",
    )
for count, answers in verdicts.items():
    share = np.mean([label == row.label for (label, _), row in zip(answers, claim_test)])
    say(f"5 看 {count} 条：{share:.3f}", f"5 looking at {count}: {share:.3f}")

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 换一张掩码，再照这张掩码训练，同一摞块就会写。只会填空的是**没有这样训练过**的 BERT：它从没练过右边一片空白的题。
2. **错。** BERT 只有编码器，输入几个词元，输出几个状态。序列到序列的能力是后来加上去的：要么靠掩码（36 个格子里关上 12 个），要么靠一个解码器。
3. **错。** 交叉注意力没处抄，占一个解码器块的四分之一；抄来的那部分，也是在没有因果掩码、没有原文可看的时候练成的。
4. **错。** 照抄一遍、只错一个值的假话，比换了说法的真话高，看上面两个数。
5. **不一定。** 太少了，该看的那条不在里面；太多了，听最自信的那一条就多了上当的机会。看你跑出来的四个数，别忘了标准误差。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** With another mask, and trained with that mask, the same stack writes. What fills blanks only is a BERT that was **not trained so**: it has never practised with nothing on its right.
2. **Wrong.** BERT is an encoder alone, as many states come out as tokens go in. Sequence to sequence is what is added later: by a mask (12 of 36 cells are closed), or by a decoder.
3. **Wrong.** Cross-attention has nowhere to copy from and is a quarter of a decoder block; and the rest was trained with no causal mask, and no source to look at.
4. **Wrong.** What is repeated with one false value is above what is true in other words; see the two figures.
5. **Not always.** With too few, the one that decides isn't there; with many, listening to the most confident one is riskier. Look at your four figures, and remember the standard error.
"""

# %% [markdown] lang="zh" exercise="written_ch06c_generate_and_verify"
r"""
## 6c.13 简答题

一位同事让 BERT 给公司的公告写摘要，报告说：“用了前缀掩码，验证集上的损失很低，ROUGE-L 0.62，比照抄开头高；所以摘要可靠，可以直接发给客户。”

用 150 字左右回答：哪些数字支持他，哪些话还没有根据？引用本章的两个数字（至少一个是你**自己跑出来的**），一个说明 ROUGE 看不出什么，一个说明新的参数或者掩码可能出什么问题；再提出一种发出去之前的核对办法：资料从哪里来，怎么判断，报什么数，什么结果会让你放心。

这道题由老师评阅，不计入 36 分。好的回答里有两个数字（各说明什么）、一个两步的核对办法（检索、判断，证据也要报）和一条事先说好的标准。
"""

# %% [markdown] lang="en" exercise="written_ch06c_generate_and_verify"
r"""
## 6c.13 Written question

A colleague lets BERT write summaries of company announcements, and reports: "With a prefix mask the loss on dev is very low, and ROUGE-L is 0.62, above repeating the beginning: so the summaries are reliable, and can go to customers as they are."

Answer in about 100 words: which figures support him, and what has he no grounds for? Quote two numbers of this notebook (at least one that **you ran yourself**), one for what ROUGE doesn't see, one for what may go wrong with new weights or with the mask; then propose a check before anything is sent: where the statements come from, how they are judged, which figures are reported, and which result would satisfy you.

Your teacher reads this one; it is not part of the 36 points. A good answer has two numbers (and what each of them shows), a check in two steps (retrieve, judge, and report the evidence, too) and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 说清 ROUGE 量的是像不像，引用数字（如 6c.8 换了说法的真话和照抄的假话，两个 ROUGE-L）；损失低也可能是掩码漏了（如 6c.3 全开的那个），引用自己跑出来的数字。
2. 核对办法有两步，资料是公告原文（而不是模型自己）；判断和证据都要报，像 FEVER 那样；有对照（照抄开头、随便找的证据）。
3. 事先说好标准（例如抽查若干条，被反驳的不超过百分之几；说不准的交给人看）。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Says that ROUGE measures likeness, with a number (such as the two ROUGE-L of 6c.8, for what is true in other words and for what is repeated but false); and that a low loss may come from a mask that leaks (such as the one that is all open in 6c.3), with a number of their own.
2. The check has two steps, and its statements are the announcements themselves (not the model); verdicts and evidence are both reported, as FEVER does; there is a control (repeating the beginning, evidence at random).
3. Fixes a criterion beforehand (such as: of so many samples at most some per cent are refuted; what can't be told is read by a person).
"""

# %% [markdown] lang="zh"
r"""
## 6c.14 小结：半页带走

**会写的 BERT，两条路。**

| | 一摞块 | 编码器加解码器 |
|---|---|---|
| 靠什么 | 前缀掩码：片段 0 谁都能看，片段 1 只能往回看，填充谁都不看 | 解码器的因果掩码和交叉注意力 |
| 块里新的参数 | 没有 | 交叉注意力，一个解码器块的四分之一 |
| 第一个词元从哪里读 | 原文的 [SEP] | [CLS] |

**训练时看得见的，写的时候也要看得见**；损失低、写得不对，先查掩码。装载检查点要交账：抄来的，没动的，一个不漏。

**核对，两步。** 检索（BM25：少见的词、不刷分、长的打折），再一条一条判断：支持、反驳、资料不足，最有把握的说了算。判断和证据都对，才算对。

**两个数。** 像不像：$\text{ROUGE-L} = 2PR/(P+R)$，$P$ 和 $R$ 的分子是最长公共子序列；真不真：核对了才知道。
"""

# %% [markdown] lang="en"
r"""
## 6c.14 Half a page to take with you

**Two roads to a BERT that writes.**

| | one stack | encoder and decoder |
|---|---|---|
| works by | a prefix mask: segment 0 is seen by everybody, segment 1 by itself and by later positions, padding by nobody | the decoder's causal mask and cross-attention |
| new in the blocks | nothing | cross-attention, a quarter of a decoder block |
| first token read at | the source's [SEP] | [CLS] |

**What is seen in training has to be there in writing, too**; a low loss and wrong texts: look at the mask first. Loading a checkpoint keeps a record: copied, or left alone, every single weight.

**Checking in two steps.** Retrieve (BM25: rare words, no gain from repeating, a discount on length), then judge one by one: supported, refuted, not enough information; the most confident decides. It counts as right only if verdict and evidence both are.

**Two figures.** How alike: $\text{ROUGE-L} = 2PR/(P+R)$, where both $P$ and $R$ have the longest common subsequence on top. How true: nobody knows before it is checked.
"""

# %% [markdown] lang="zh"
r"""
## 6c.15 接下来

BERT 会读、会指、会写，也会核对了。下一部分打开来看：它是怎么做到的，又在什么时候靠不住。

- **7a** 看注意力的头：哪个头找的是什么。
- **7b** 看各层知道什么，别的语言行不行。
- **7c** 专门找毛病：只看断言就能猜对的数据集，就是其中一种。

想在自己的数据上写摘要：`bert-keras finetune` 的 `data.task = "writing"`；核对断言是 `data.task = "claims"`。想读原文：[UniLM](https://arxiv.org/abs/1905.03197) 的图 1 就是那几张掩码；[BERT2BERT](https://arxiv.org/abs/1907.12461) 比了各种出发点；[FEVER](https://arxiv.org/abs/1803.05355) 是核对事实的数据集；[ROUGE](https://aclanthology.org/W04-1013/) 只有八页。
"""

# %% [markdown] lang="en"
r"""
## 6c.15 Where next

BERT can read, point, write and check. The next part opens it: how does it do all this, and when is it not to be relied on?

- **7a** looks at attention heads, and at what each of them looks for.
- **7b** asks what each layer knows, and what happens in other languages.
- **7c** goes looking for failings; data whose claims give the answer away are one of them.

To sum up texts of your own: `data.task = "writing"` of `bert-keras finetune`; and `data.task = "claims"` checks claims. For the sources: figure 1 of [UniLM](https://arxiv.org/abs/1905.03197) shows those masks; [BERT2BERT](https://arxiv.org/abs/1907.12461) compares starting points; [FEVER](https://arxiv.org/abs/1803.05355) is the data set of fact checking; [ROUGE](https://aclanthology.org/W04-1013/) has eight pages.
"""
