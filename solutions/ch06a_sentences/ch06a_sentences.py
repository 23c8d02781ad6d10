# %% [markdown] lang="zh"
r"""
# 6a 整句的任务：给 BERT 接一个头

前三章造出了 BERT，教它猜字。从这一章起，轮到它干活。预训练好的部分叫**骨干**（backbone），接在上面的叫任务的**头**（head）；微调（fine-tuning）就是拿带标签的句子，把两部分合在一起再训练一小会儿。

要给整句话一个答案的任务，五花八门：一句话是夸还是骂，两句话是不是一个意思，句子里的两个人是什么关系，四个答案里哪个对，一句口令想干什么。可是骨干一个字不用改，变的只有三处：

- **怎么拼**：一段还是两段，一行还是几行，要不要加记号；
- **从哪里读**：第一个词元、所有词元的平均、某个记号，还是每一行各读一个分数；
- **怎么算损失**：类别之间、答案之间做 softmax，还是两个损失相加。

这一章里，五种任务的这三处都由你来写；另外还要写一种评分的办法，和一种给各层分配学习率的办法。中间会训练好几个小模型，多数会跟只数词的模型比一比：比不过，就照实说。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `classifier_head` | 4 | 12 | 核心 | 第一个词元，或真词元的平均；然后 dropout，然后全连接 | 随机张量 |
| `pair_logits` | 4 | 12 | 核心 | 两段拼成一行；三样输入都要交给骨干 | 整数列表、造出来的骨干 |
| `relation_markers` | 5 | 15 | 核心 | 位置末端不含；谁在前都行；交叠要报错 | 整数列表 |
| `multiple_choice_forward` | 5 | 15 | 核心 | (B, K, T) 折成 (B·K, T)，分数折回 (B, K) | 随机张量、造出来的骨干 |
| `joint_intent_slot_loss` | 4 | 12 | 核心 | 意图的平均加槽的平均；−1 不判 | 随机张量 |
| `frame_accuracy` | 4 | 10 | 核心 | 意图和要判的槽全对，一句才算对 | 整数数组 |
| `layerwise_decay` | 6 | 15 | 核心 | 块从 0 数起；嵌入最慢，头最快 | 变量的路径 |
| `drill_ch06a_sentences` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch06a_sentences` | 0 | 12 | 核心 | 老师评阅，不计入 38 分 | 本章的图和数字 |

核心练习 38 分。只做练习不到两小时，连同实验大约两个半小时；6a.6 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数。
"""

# %% [markdown] lang="en"
r"""
# 6a Whole sentences: put a head on BERT

Three notebooks built BERT and taught it to guess words. From here on it earns its living. The pretrained part is called the **backbone**, what is put on top of it the **head** of a task; fine-tuning trains both together for a little while, on sentences with labels.

Tasks that ask something about a whole sentence come in many forms: is it praise or criticism, do two sentences say the same, how are two people in it related, which of four answers is right, what does a command want. Yet the backbone stays as it is, and only three things change:

- **how the input is packed**: one text or two, one row or several, with marks or without;
- **where the answer is read**: at the first token, from the mean of all tokens, at a mark, or as one score for each row;
- **how the loss is taken**: with a softmax over classes, or over answers, or as the sum of two losses.

In this notebook you write these three for five kinds of tasks. You also write a way to score them, and one to give each layer a learning rate of its own. On the way you train several small models, most of them beside one that only counts words; where ours loses, we say so.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `classifier_head` | 4 | 12 | core | the first token, or the mean of real tokens; then dropout, then dense | random tensors |
| `pair_logits` | 4 | 12 | core | two texts in one row; all three inputs reach the backbone | lists of ints, toy backbones |
| `relation_markers` | 5 | 15 | core | ends are exclusive; either may come first; overlap is an error | lists of ints |
| `multiple_choice_forward` | 5 | 15 | core | (B, K, T) folds into (B·K, T), scores fold back to (B, K) | random tensors, toy backbones |
| `joint_intent_slot_loss` | 4 | 12 | core | mean of intents plus mean of slots; −1 is not judged | random tensors |
| `frame_accuracy` | 4 | 10 | core | a sentence is right if its intent and all judged slots are | int arrays |
| `layerwise_decay` | 6 | 15 | core | blocks count from 0; embeddings are slowest, heads fastest | paths of variables |
| `drill_ch06a_sentences` | 6 | 20 | core | as in the exercises above | a piece of code with a bug |
| `written_ch06a_sentences` | 0 | 12 | core | read by your teacher, not part of the 38 points | the pictures and numbers of this notebook |

38 core points. The exercises take a little less than two hours, with the experiments about two and a half; just before 6a.6 is a good place to pause.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other random numbers.
"""

# %%
import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


# %% [markdown] lang="zh"
r"""
## 6a.1 标签贵，文字便宜

先看今天的活：读一条评论，说它是夸还是骂。数据是一万多条中文评论（酒店、书、日用品），每条一个标签：1 = 好评，0 = 差评。

动手之前先立一条基线：只数词、几乎不看顺序的模型能做到多少？它把一条评论变成“每个字、每对相邻的字各出现了几次”（少见的算得重些，叫 TF-IDF），再做一个逻辑回归。它几秒钟就能训练好（电脑忙的话，半分钟），除此之外什么文字也没读过。**先猜**：给它 100 条标签，准确率多少？给它全部呢？
"""

# %% [markdown] lang="en"
r"""
## 6a.1 Labels cost, text doesn't

First look at today's job: read a sentence from a film review, and say whether it is praise or criticism. The data are about ten thousand such sentences, each with one label: 1 = positive, 0 = negative.

Before anything else, set a baseline: how far does a model get that only counts words, and hardly looks at their order? It turns a sentence into how often each word and each pair of neighbours occurs (rare ones count for more, which is called TF-IDF), and does a logistic regression on that. It is trained in seconds (half a minute on a busy computer) and has never read any other text. **Predict**: how accurate is it with 100 labels? And with all of them?
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import bars, chinese_reviews, english_sentiment
from bert_keras.text.corpora.archives import CorpusError

splits, words_only = None, {}  # filled by the next cell

# %% tags=["experiment"]
splits = {"zh": chinese_reviews, "en": english_sentiment}[LANG].load()
test_rows = splits["test"][:1000]
for row in splits["train"][:5]:
    print(row.label, row.text[:70])
for count in (100, 400, 1600, len(splits["train"])):
    part = {"train": splits["train"][:count], "test": test_rows}
    try:
        share = bars.tfidf_logistic(part, analyzer={"zh": "char", "en": "word"}[LANG])
    except CorpusError as problem:  # scikit-learn is missing
        print(problem)
        break
    words_only[count] = share
    say(
        f"{count} 条标签：准确率 {share:.3f}",
        f"{count} labels: accuracy {share:.3f}",
    )

# %% [markdown] lang="zh"
r"""
标签多一些，准确率就高一些；可是每多一条，就得有人读一遍、判一遍，还难免判错：上面第二条明明在骂，标签却是 1。真实的数据都有这样的错，所以谁也到不了百分之百。**没有标签的文字**却几乎不要钱，而且 5b 教过怎么从里面学：盖住几个字，让模型猜。

这就是微调的算盘：贵的东西（标签）只教那一点点别处学不到的，便宜的东西（文字）先教会其余的。划不划算，要看从文字里到底学到了多少。本章看两回：只预训练了半分钟的（6a.3），和读过很多很多文字的（6a.9）。
"""

# %% [markdown] lang="en"
r"""
More labels, better answers; but somebody has to read and judge for each of them. **Text without labels** costs next to nothing, and 5b showed how to learn from it: hide some words and let a model guess.

That is the bargain of fine-tuning: the labels, which are expensive, teach only what nothing else can; the text, which is cheap, has taught the rest. Whether the bargain pays off is a question of how much was learnt from the text, and this notebook looks at it twice: with half a minute of pretraining (6a.3), and with a model that has read far more (6a.9).
"""

# %% [markdown] lang="zh"
r"""
## 6a.2 练习：分类的头

骨干给每个词元一个状态：`sequence_output`，形状 (B, T, D)。给整句分类只要一个向量，所以先**汇成一个**（池化，pooling），再做 dropout，再接一个全连接层：

```text
sequence_output (B, T, D)
      │ "cls"：第一个词元          "mean"：真词元的平均
  (B, D)
      │ dropout
  (B, D)
      │ dense
  (B, C)    每一类一个 logit
```

写 `classifier_head(sequence_output, padding_mask, pooling, dropout, dense)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `sequence_output` | (B, T, D) | 浮点，骨干的输出；填充在右边，第一个位置总是 [CLS] |
| `padding_mask` | (B, T) | 布尔，`True` = 真词元；每一行至少有一个 |
| `pooling` | 字符串 | `"cls"` 或 `"mean"` |
| `dropout` | 可调用 | `dropout(x)`，形状不变 |
| `dense` | 可调用 | `dense(x)`，(B, D) → (B, C) |

- `"cls"`：第一个词元的状态，**原样**拿来，不加 tanh（BERT 的池化层这里不用）。
- `"mean"`：只对真词元求平均，[CLS] 和 [SEP] 也是真词元；填充位置上不管是什么数，都不能影响结果。
- 次序是池化、`dropout`、`dense`，各做一次。
- **返回** (B, C) 的 logits，不做 softmax。
- `pooling` 是别的：抛出 `ValueError`。
- 训练时批次大小还不知道（`shape[0]` 是 `None`），只用 `ops`。
"""

# %% [markdown] lang="en"
r"""
## 6a.2 Exercise: the head of a classifier

The backbone gives a state to every token: `sequence_output`, of shape (B, T, D). A class for the whole sentence needs one vector, so first **pool**, then drop, then apply a dense layer:

```text
sequence_output (B, T, D)
      │ "cls": the first token     "mean": mean of the real tokens
  (B, D)
      │ dropout
  (B, D)
      │ dense
  (B, C)    one logit for each class
```

Write `classifier_head(sequence_output, padding_mask, pooling, dropout, dense)`:

| Argument | Shape | Notes |
|---|---|---|
| `sequence_output` | (B, T, D) | float, from the backbone; padding on the right, [CLS] always in the first place |
| `padding_mask` | (B, T) | bool, `True` = a real token; at least one in every row |
| `pooling` | a string | `"cls"` or `"mean"` |
| `dropout` | callable | `dropout(x)`, keeps the shape |
| `dense` | callable | `dense(x)`, (B, D) → (B, C) |

- `"cls"`: the state of the first token **as it is**, without tanh (BERT's pooler has no part in this).
- `"mean"`: the mean over real tokens only, to which [CLS] and [SEP] belong; whatever stands at pads must not change it.
- The order is pooling, `dropout`, `dense`, each of them once.
- **Returns** logits (B, C), without a softmax.
- Any other `pooling` raises `ValueError`.
- In training the batch size is unknown (`shape[0]` is `None`); use `ops` only.
"""


# %% exercise="classifier_head"
def classifier_head(sequence_output, padding_mask, pooling, dropout, dense):
    """Pool the states of a sequence into one vector, and score every class.

    Args:
        sequence_output: float tensor of shape (B, T, D), padding on the right.
        padding_mask: bool tensor of shape (B, T), True at real tokens.
        pooling: "cls" for the first token as it is, "mean" for the mean over real tokens.
        dropout: callable, (B, D) to (B, D).
        dense: callable, (B, D) to (B, C).

    Returns:
        float tensor of shape (B, C), logits.

    Raises:
        ValueError: another kind of pooling.
    """
    ### BEGIN SOLUTION
    if pooling == "cls":
        pooled = sequence_output[:, 0]  # (B, D)
    elif pooling == "mean":
        is_real = ops.cast(padding_mask, sequence_output.dtype)[..., None]  # (B, T, 1)
        pooled = ops.sum(sequence_output * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    else:
        raise ValueError(f'pooling must be "cls" or "mean", not {pooling!r}')
    return dense(dropout(pooled))  # (B, C)
    ### END SOLUTION


# %% check="classifier_head"
check("classifier_head", classifier_head)

# %% [markdown] lang="zh"
r"""
## 6a.3 用一用：先猜字，再分类

这里的骨干很小：两个块，隐藏维度 64。先用评论的**文字**（训练部分，标签不看）让它猜被盖住的字，500 步；大约半分钟，电脑忙的话要几分钟。再取 400 条标签来微调。对照是同一个骨干，只是没有猜过字。

预训练是 5b 的办法，用库里的零件：`mask_tokens` 盖住 15 % 的词元，`MaskedLMHead` 猜，`masked_lm_loss` 算损失。（只有一段文字，所以没有“下一句”这道题。）时间这么短，要省着用：前 420 步里，每行只从评论里随便截 16 个词元，一批 256 行：行短，学会看左右邻居就快；最后 80 步才用整行。
"""

# %% [markdown] lang="en"
r"""
## 6a.3 Use it: first guess words, then classify

The backbone is a small one: two blocks of hidden size 64. First it guesses hidden words in the **text** of the reviews (the training part, labels unseen) for 500 steps; about half a minute, or several minutes on a busy computer. Then 400 labels fine-tune it. Beside it runs the same backbone, which has never guessed a word.

Pretraining is that of 5b with the library's parts: `mask_tokens` hides 15 % of the tokens, `MaskedLMHead` guesses, `masked_lm_loss` is the loss. (There is only one text in a row, so there is no next sentence to judge.) So short a time has to be used well: for the first 420 steps a row is a stretch of only 16 tokens, cut out of a review anywhere, 256 of them in a batch, since in short rows the use of neighbours is learnt sooner; full rows come after that.
"""

# %% tags=["experiment"]
from bert_keras.layers.heads import MaskedLMHead
from bert_keras.models.losses import masked_lm_loss
from bert_keras.text import masked_lm, packing
from bert_keras.text.vocabulary import build_character_vocabulary, train_wordpiece_vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer, basic_tokenize
from bert_keras.training.encoders import build_backbone
from bert_keras.training.sections import ModelSection

LENGTH = {"zh": 48, "en": 32}[LANG]  # of a row
backbone, pretrained, fresh = None, None, None  # filled by the next cells
INPUTS = ("token_ids", "segment_ids", "padding_mask")


def new_backbone(vocabulary_size, length):
    """A small BERT without dropout, with positions that begin as waves."""
    sizes = ModelSection(
        num_layers=2,
        num_heads=2,
        hidden_dim=64,
        intermediate_dim=256,
        max_sequence_length=length,
        dropout=0.0,
        initializer_stddev=0.1,  # 0.02 suits widths of 768
        position_scale=0.3,
    )
    small = build_backbone(sizes, vocabulary_size)
    small.pooler.trainable = False  # no head here reads it
    return small


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


def shuffled(count, steps, size, seed=0):
    """Which rows make the batch of each step: all of them once, then all once more, …"""
    rng = np.random.default_rng(seed)
    passes = [rng.permutation(count) for _ in range(steps * size // count + 1)]
    return np.concatenate(passes)[: steps * size].reshape(steps, size)


class Guesser(keras.Model):
    """A backbone that guesses hidden tokens."""

    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.head = MaskedLMHead(initializer_stddev=0.1)

    def call(self, inputs):
        states = self.backbone(some_of(inputs))["sequence_output"]
        table = ops.convert_to_tensor(self.backbone.embeddings.token_embedding.embeddings)
        return self.head(states, inputs["mask_positions"], table)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return masked_lm_loss(y_pred, y["mask_ids"], y["mask_weights"])


def some_of(inputs):
    """The three inputs that every backbone takes."""
    return {name: inputs[name] for name in INPUTS}


# %% tags=["experiment"]
texts = [row.text for row in splits["train"]]
if LANG == "zh":
    words = (word for one in texts for word in basic_tokenize(one))
    vocabulary = build_character_vocabulary(words, size=3000, minimum_count=5)
else:
    vocabulary = train_wordpiece_vocabulary(texts, size=3000, minimum_count=2)
tokenizer = WordPieceTokenizer(vocabulary)


def packed(texts):
    """Rows of one text each, given as ids; of a long one the beginning and the end are kept."""
    rows = [(packing.head_and_tail(ids, LENGTH - 2), None) for ids in texts]
    return packing.pack_batch(rows, vocabulary, LENGTH)


def cut_out(texts, length, rng):
    """Rows of one stretch of each text, which begins anywhere."""
    room, rows = length - 2, []  # [CLS] and [SEP]
    for ids in texts:
        start = rng.integers(max(1, len(ids) - room + 1))
        rows.append((ids[start : start + room], None))
    return packing.pack_batch(rows, vocabulary, length)


train_ids, test_ids = (
    [tokenizer.encode(row.text) for row in rows] for rows in (splits["train"], test_rows)
)
train, test = packed(train_ids), packed(test_ids)
labels = np.array([row.label for row in splits["train"]], "int32")
test_labels = np.array([row.label for row in test_rows], "int32")
LABELS = 400  # are all that fine-tuning gets
few = some(train, slice(LABELS))
print(" ".join(vocabulary.words(train["token_ids"][0])))

keras.utils.set_random_seed(0)
backbone = new_backbone(len(vocabulary), LENGTH)
fresh = backbone.get_weights()
guesser = Guesser(backbone)
STEPS, SHORT = 500, 420  # SHORT of them with short rows
guesser.compile(optimizer=optimizer_for(600, 5e-3), jit_compile=False)  # stopped before rate 0
rng, losses = np.random.default_rng(0), []
for number in range(STEPS):
    length = 16 if number < SHORT else LENGTH
    chosen = rng.integers(len(train_ids), size=4096 // length)
    batch = cut_out([train_ids[i] for i in chosen], length, rng)
    hidden = masked_lm.mask_tokens(
        batch["token_ids"], vocabulary, rng, max_predictions=round(0.15 * length)
    )
    batch |= {"token_ids": hidden.token_ids, "mask_positions": hidden.mask_positions}
    targets = {"mask_ids": hidden.mask_ids, "mask_weights": hidden.mask_weights}
    losses.append(float(guesser.train_on_batch(batch, targets)))
    if (number + 1) % 100 == 0:
        mean = np.mean(losses[-100:])
        say(
            f"到第 {number + 1} 步，这 100 步的平均损失 {mean:.2f}",
            f"step {number + 1}, mean loss of these 100 steps {mean:.2f}",
        )
pretrained = backbone.get_weights()
shares = np.bincount(train["token_ids"][train["padding_mask"]], minlength=len(vocabulary))
shares = shares[vocabulary.ordinary_ids] / shares[vocabulary.ordinary_ids].sum()
by_frequency = -np.sum(shares * np.log(np.maximum(shares, 1e-12)))
say(
    f"只按常见程度猜，损失 {by_frequency:.2f}；在 {len(vocabulary)} 个词元里瞎猜，"
    f"{np.log(len(vocabulary)):.2f}",
    f"loss of guessing by frequency alone: {by_frequency:.2f}; of guessing blindly among "
    f"{len(vocabulary)} tokens: {np.log(len(vocabulary)):.2f}",
)
for sentence in {
    "zh": ("服[MASK]很好。", "房间很[MASK]。", "这本书很[MASK]。"),
    "en": ("one of the [MASK] films", "the film is [MASK] ."),
}[LANG]:
    before, after = map(tokenizer.encode, sentence.split("[MASK]"))
    row = packing.pack_batch([([*before, vocabulary.mask_id, *after], None)], vocabulary, 16)
    row |= {"mask_positions": np.array([[len(before) + 1]], "int32")}  # [CLS] stands in front
    scores = ops.convert_to_numpy(guesser(row, training=False))[0, 0]
    print(sentence, "→", " ".join(vocabulary.words(np.argsort(-scores)[:5])))

# %% [markdown] lang="zh"
r"""
跟“只按常见程度猜”比一比：那是不看上下文、只看各个词元有多常见的猜法（5b 的一元模型）。最后 100 步的损失比它低，说明骨干用上了左邻右舍。怎么用的，看那三个空：箭头后面是它觉得最像的五个词元。

才半分钟，它还谈不上懂中文。拿它去分类，值不值？用你的 `classifier_head` 接上去，400 条标签，读平均值（`"mean"`），训练 5 轮。每一轮之后都在 1000 条测试评论上量一次。两个一共十几秒，电脑忙的话要几分钟。

**先猜**三件事：预训练过的和从头开始的，谁高？能不能超过同样 400 条标签的 TF-IDF？轮数越多是不是越好？
"""

# %% [markdown] lang="en"
r"""
Compare it with guessing by frequency: what is the loss of a guess that ignores context and goes by how common each token is (the unigram model of 5b)? The mean of the last 100 steps is below it, so the backbone has some use for the words around a gap. What use, the two gaps show: behind each arrow stand the five tokens that it finds likeliest.

After half a minute or so it can hardly be said to know English. Is it worth anything for classifying? Put your `classifier_head` on it, with 400 labels, reading the mean (`"mean"`), for 5 epochs. After each of them it is measured on the 1000 or so test sentences. Both together take some fifteen seconds, or several minutes on a busy computer.

**Predict** three things: which is better, pretrained or from scratch? Does either pass TF-IDF with the same 400 labels? Are more epochs always better?
"""


# %% tags=["experiment"]
class SentenceClassifier(keras.Model):
    """A backbone with `classifier_head`, and the loss of classes."""

    def __init__(self, backbone, num_classes, pooling="mean"):
        super().__init__()
        self.backbone, self.pooling = backbone, pooling
        self.dropout = keras.layers.Dropout(0.1, seed=0)
        self.dense = keras.layers.Dense(num_classes)

    def call(self, inputs):
        states = self.backbone(some_of(inputs))["sequence_output"]
        mask = inputs["padding_mask"]
        return classifier_head(states, mask, self.pooling, self.dropout, self.dense)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return ops.mean(ops.sparse_categorical_crossentropy(y, y_pred, from_logits=True))


def guesses_of(model, arrays):
    """The likeliest class of every row, without dropout."""
    starts = range(0, len(arrays["token_ids"]), 250)
    scores = [model(some(arrays, slice(start, start + 250)), training=False) for start in starts]
    return ops.convert_to_numpy(ops.concatenate(scores)).argmax(axis=-1)


def accuracy(model, arrays, right):
    """Share of right answers."""
    return float(np.mean(guesses_of(model, arrays) == right))


by_epoch = {}
if pretrained and ready("classifier_head"):
    EPOCHS = 5
    starts = {("从头开始", "from scratch"): fresh, ("预训练过", "pretrained"): pretrained}
    keras.utils.set_random_seed(1)
    classifier = SentenceClassifier(backbone, 2)
    classifier(some(few, slice(2)))  # makes the head's weights
    head, steps = classifier.dense.get_weights(), EPOCHS * LABELS // 16
    classifier.compile(optimizer=optimizer_for(steps, 1e-3), jit_compile=False)
    for name, weights in starts.items():
        backbone.set_weights(weights)
        classifier.dense.set_weights(head)
        for variable in classifier.optimizer.variables:  # as if it had made no step yet
            variable.assign(ops.zeros_like(variable))
        by_epoch[name] = []
        for number, rows in enumerate(shuffled(LABELS, steps, 16), 1):
            classifier.train_on_batch(some(few, rows), labels[rows])
            if number % (LABELS // 16) == 0:
                by_epoch[name].append(accuracy(classifier, test, test_labels))
        print(text(*name), *(f"{share:.3f}" for share in by_epoch[name]))
    words = chart_words(LANG)
    with chart(1, width=4.8, height=3.2) as (axis,):
        for i, (name, shares) in enumerate(by_epoch.items()):
            axis.plot(
                range(1, EPOCHS + 1),
                shares,
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=STYLES[i],
                label=words(*name),
            )
        if words_only:
            axis.axhline(words_only[LABELS], color=COLOURS[6], linestyle=":", label="TF-IDF")
        axis.set(xlabel=words("轮", "epoch"), ylabel=words("测试准确率", "test accuracy"))
        axis.set_xticks(range(1, EPOCHS + 1))
        axis.legend(frameon=False, fontsize=9)

# %% [markdown] lang="zh"
r"""
把三条线跟你猜的对一对。一千条测试，一个准确率的标准误差就有 1.5 个百分点左右，所以差一两个百分点说明不了什么；何况只有一个种子。看得出来的只有大的差别，和曲线的样子：到最后一轮，哪条还在升？

我们跑的那次，从头开始的 0.67，预训练过的 0.62，TF-IDF 0.74：**猜了半分钟的字，一点好处也没有，反倒更低**；两条又都比不过数词的。为什么？回头看那三个空。“服”后面填“务”，它学会了；“房间很”后面，它填了“好”，可是填“差”也一样通顺：只要猜字，用不着分清这两个字，它们都能跟在“很”后面。而分类要的，偏偏就是把它们分开。这一点点预训练学到的，多半是哪个字挨着哪个字，不是哪些话算夸、哪些话算骂：这么少的文字里还学不到，微调反而得先把它改掉（这是我们的猜测：一个种子，证明不了）。

所以，**损失低了，不等于有用；要看学到的是不是任务要的**。也请记住：**先跟数词的比，再说自己的模型好**。读得多得多的骨干怎么样，见 6a.9；小骨干多读一阵，标签从 200 条到全部，换几个种子，见 6a.10。
"""

# %% [markdown] lang="en"
r"""
Hold the three lines against your predictions. With a thousand test sentences the standard error of an accuracy is about 1.5 points, so a difference of one or two shows nothing, all the more as there is only one seed. What shows are large differences, and the shape of the curves: is either of them still rising at the last epoch?

In our run the one from scratch and the pretrained one both ended at 0.57, and TF-IDF has 0.65: **half a minute of guessing words bought nothing**, and both are well below a model that counts. Why? Look at the gaps once more. The backbone has found out that these texts talk about films and movies, and a little about which words go together; it hardly knows yet what sort of word a gap wants. Whether a sentence is praise hangs on words such as *dull*, *moving* or *tedious*, each of them rare, and after so little text it can know next to nothing about any one of them. Besides, *good* and *bad* fit the same gaps, so that for guessing they are nearly the same, and the classifier needs them apart. (That is our guess; one seed proves nothing.)

So **a lower loss is no use in itself: what was learnt has to be what the task needs**. And **compare with counting first, before you call your model good**. What a backbone does that has read far more is in 6a.9; a small one that reads for longer, with 200 labels up to all of them and over several seeds, is in 6a.10.
"""

# %% [markdown] lang="zh"
r"""
## 6a.4 练习：两段文字

“这两句是一个意思吗？”最容易想到的办法是各编码一次，再比两个向量。BERT 不这样做：它把两段**拼成一行**，从第一层起，甲的每个词元就能看到乙的每个词元。

写 `pair_logits(pairs, pack, encode, dense)`：

| 参数 | 说明 |
|---|---|
| `pairs` | B 个 `(first, second)`，每段是整数列表，长短不一 |
| `pack` | `pack(first, second)` 返回一行的字典：`token_ids`（整数）、`segment_ids`（整数）、`padding_mask`（布尔），都是形状 (T,) 的数组，T 总是一样 |
| `encode` | `encode(inputs)`，`inputs` 是同样三个名字的字典，数组形状 (B, T)；返回 `sequence_output`，(B, T, D) |
| `dense` | `dense(x)`，(B, D) → (B, C) |

- 每一对拼成**一行**：`first` 在前，`second` 在后，次序不能换；各对的次序也不能换。
- 三样输入都要交到 `encode` 手里，`pack` 给的是什么就交什么。`encode` 只调用一次，整批一起。
- 读第一个词元的状态，原样交给 `dense`。
- **返回** (B, C) 的 logits。传进来的列表别改动。
- `pack` 是 Python 函数，这一题不进计算图，可以用 NumPy 把各行摞起来。
"""

# %% [markdown] lang="en"
r"""
## 6a.4 Exercise: two texts

"Do these two sentences say the same?" What comes to mind first is to encode each by itself and compare two vectors. BERT does otherwise: it packs both into **one row**, so that from the first layer on every token of one sees every token of the other.

Write `pair_logits(pairs, pack, encode, dense)`:

| Argument | Notes |
|---|---|
| `pairs` | B pairs `(first, second)`, each a list of ints, of various lengths |
| `pack` | `pack(first, second)` returns a row as a dict: `token_ids` (int), `segment_ids` (int), `padding_mask` (bool), arrays of shape (T,), T always the same |
| `encode` | `encode(inputs)`, where `inputs` is a dict with the same three names and arrays of shape (B, T); returns the `sequence_output`, (B, T, D) |
| `dense` | `dense(x)`, (B, D) → (B, C) |

- Each pair makes **one row**: `first` before `second`, never the other way round; nor do the pairs change their order.
- All three inputs have to reach `encode`, just as `pack` made them. `encode` is called once, with the whole batch.
- The state of the first token goes into `dense` as it is.
- **Returns** logits (B, C). Don't change the lists that you are handed.
- `pack` is a Python function, so this one never runs in a graph: you may stack the rows with NumPy.
"""


# %% exercise="pair_logits"
def pair_logits(pairs, pack, encode, dense):
    """Score every class for pairs of texts, each pair read as one sequence.

    Args:
        pairs: list of B pairs (first, second) of lists of ints.
        pack: callable (first, second) to a dict of token_ids (int), segment_ids (int) and
            padding_mask (bool), arrays of shape (T,).
        encode: callable, a dict of such arrays of shape (B, T) to a float tensor (B, T, D).
        dense: callable, (B, D) to (B, C).

    Returns:
        float tensor of shape (B, C), logits.
    """
    ### BEGIN SOLUTION
    rows = [pack(first, second) for first, second in pairs]
    inputs = {name: np.stack([row[name] for row in rows]) for name in rows[0]}  # (B, T) each
    return dense(encode(inputs)[:, 0])  # (B, C)
    ### END SOLUTION


# %% check="pair_logits"
check("pair_logits", pair_logits)

# %% [markdown] lang="zh"
r"""
**看一看。** 一对句子拼成的一行：上面是词元，下面是片段号和掩码。
"""

# %% [markdown] lang="en"
r"""
**See it.** A pair of sentences as a row: the tokens, and below them segments and mask.
"""

# %% tags=["experiment"]
from bert_keras.analysis.input_strips import packed_strips

PAIR = {
    "zh": ("房间很干净", "屋子打扫得不错"),
    "en": ("the plot is thin", "there is not much of a story"),
}[LANG]
if pretrained:
    ids_of_pair = [tokenizer.encode(one) for one in PAIR]
    row = packing.pack(*ids_of_pair, vocabulary, 20)
    tokens = vocabulary.words(row["token_ids"])
    names = (text("片段", "segment"), text("掩码", "mask"))
    strip = (text("一对", "a pair"), tokens, row["segment_ids"], row["padding_mask"])
    display(packed_strips([strip], names))

# %% [markdown] lang="zh"
r"""
**用一用：三样输入，少一样会怎样？** 用刚才那个小骨干（它没有为成对的任务训练过，片段 1 的嵌入还是随机的），看四种改法各让 logits 动多少：两段对调；片段全写成 0；掩码全写成真；乙少了最后一个词元。**先猜**：有没有哪一种不动？
"""

# %% [markdown] lang="en"
r"""
**Use it: three inputs, and what if one is missing?** Take the small backbone from above (nobody trained it for pairs, and its embedding of segment 1 is still random), and see how far four changes move the logits: the two texts exchanged; all segments 0; the mask true everywhere; the second text without its last token. **Predict**: does any of them move nothing?
"""

# %% tags=["experiment"]
if pretrained and ready("pair_logits"):
    backbone.set_weights(pretrained)
    keras.utils.set_random_seed(2)
    two_classes = keras.layers.Dense(2)

    def pack(first, second):
        return packing.pack(first, second, vocabulary, 20)

    def pack_without_segments(first, second):
        return pack(first, second) | {"segment_ids": np.zeros(20, "int32")}

    def pack_without_mask(first, second):
        return pack(first, second) | {"padding_mask": np.ones(20, bool)}

    def encode(inputs):
        return backbone(inputs)["sequence_output"]

    one, two = ids_of_pair
    as_it_is = pair_logits([(one, two)], pack, encode, two_classes)
    changes = {
        ("两段对调", "texts exchanged"): ([(two, one)], pack),
        ("片段全是 0", "segments all 0"): ([(one, two)], pack_without_segments),
        ("掩码全是真", "mask true everywhere"): ([(one, two)], pack_without_mask),
        ("乙少一个词元", "second text shorter"): ([(one, two[:-1])], pack),
    }
    for name, (pairs, way) in changes.items():
        moved = np.abs(pair_logits(pairs, way, encode, two_classes) - as_it_is).max()
        print(f"{moved:.3f}", text(*name))

# %% [markdown] lang="zh"
r"""
四种都动：次序、片段、掩码，各管一件事，哪一样没有送到，模型读的就是另一个输入，而且一声不吭。

拼成一行有代价。要在一万句话里找出最像的两句，得把每一对都拼一次、算一次：$10000 \times 9999 / 2$，将近五千万次。各编码一次只要一万次，剩下的是点积。所以有人专门训练这样的句子向量（[Sentence-BERT](https://arxiv.org/abs/1908.10084)），6a.9 的 MiniLM 就是这样练出来的。
"""

# %% [markdown] lang="en"
r"""
All four move it: order, segments and mask each do a job, and if one of them doesn't arrive, the model reads another input and says nothing about it.

One row for a pair has its price. To find the two most similar of ten thousand sentences, every pair has to be packed and computed: $10000 \times 9999 / 2$, nearly fifty million times. Encoding each by itself takes ten thousand, and dot products do the rest; models trained for such sentence vectors are another way to use BERT ([Sentence-BERT](https://arxiv.org/abs/1908.10084)), and MiniLM of 6a.9 is one of them.
"""

# %% [markdown] lang="zh"
r"""
## 6a.5 练习：两个名字是什么关系

“李雷雇用了韩梅，后来韩梅被王芳教过。”李雷和韩梅是什么关系？韩梅和王芳呢？同一句话，问的是哪两个名字，答案就不一样。所以分类之前得先告诉模型：**问的是谁**。办法是在两个名字前后加记号，再从记号的位置上读状态。

数据是程序造的：一句话里三个人、两件事，任意两个人、任意次序都可能被问，一共九种答案（四种事，主动、被动各算一种，加上“没关系”）。测试里的姓，训练时一个也没有见过。

下面每行先是答案，再是句子：`@ … @` 夹着第一个名字（叫 head），`# … #` 夹着第二个（叫 tail）；答案要从 head 读到 tail：`hired` 是 head 雇用了 tail，`hired_by` 是 head 被 tail 雇用了，`none` 是没关系。
"""

# %% [markdown] lang="en"
r"""
## 6a.5 Exercise: how are two names related?

"Ann Lee hired Bo Day before Bo Day was taught by Cy Fox." How are Ann Lee and Bo Day related? And Bo Day and Cy Fox? It is one sentence, but the answer depends on which two names are meant. So before it classifies, the model has to be told **who is meant**. To do that, put marks around both names, and read the states at the marks.

The data are made by a program: three people and two deeds in a sentence, and any two of the people may be asked about, in either order; there are nine answers (four deeds, in either direction, and "none"). All family names in the test are new.

In what is printed below, each line begins with the answer, and then comes the sentence: `@ … @` stands around the first name, called the head, and `# … #` around the second, the tail. Read the answer from head to tail: `hired` means that the head hired the tail, `hired_by` that the head was hired by the tail, and `none` that neither did anything to the other.
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import generated_relations
from bert_keras.text.corpora.labelled import LabelledText

relations = generated_relations.load(language=LANG)
for row in relations["train"][:4]:
    print(f"{row.label:13}", generated_relations.mark(row))
RELATIONS = sorted({row.label for row in relations["train"]})
# Signs would be thrown away as punctuation by word counters, so they get marks that are words.
signs = {"zh": ("@", "#"), "en": ("headmark", "tailmark")}[LANG]
marked = {
    part: [LabelledText(generated_relations.mark(row, *signs), row.label) for row in rows]
    for part, rows in relations.items()
}
try:
    for longest in (1, 2):
        share = bars.tfidf_logistic(
            marked, analyzer={"zh": "char", "en": "word"}[LANG], ngrams=(1, longest)
        )
        say(
            f"数单个的字{'，和相邻的两个' if longest > 1 else ''}：{share:.3f}",
            f"counting single words{' and pairs of neighbours' if longest > 1 else ''}: "
            f"{share:.3f}",
        )
except CorpusError as problem:
    print(problem)

# %% [markdown] lang="zh"
r"""
单个的字几乎帮不上忙：同样的字，问法一换答案就换。加上相邻的两个，一下子高出一大截：记号紧挨着名字，名字旁边常常就是动词，“#被”这样的两个字差不多把答案说出来了。也就是说，**加记号帮了所有的模型**，连只会数数的也不例外。它看不到的是两个名字在不在同一件事里。

这里还藏着一个陷阱：常用的 TF-IDF 数英文时会把标点扔掉，记号要是标点，就白加了，基线会低得不像话。拿模型跟基线比之前，先看看**基线看见的是什么**。
"""

# %% [markdown] lang="en"
r"""
Single words are of little help: the same words have another answer as soon as the question changes. Pairs of neighbours make a great difference: marks touch names, next to a name there is often a verb, and a pair such as "by tailmark" (the counting models get these marks as the words headmark and tailmark) all but gives the answer away. In other words, **marks help every model**, even one that only counts. What it doesn't see is whether both names belong to the same deed.

There is a trap in this: when counting English words, the usual TF-IDF throws punctuation away; were the marks signs like @ and #, they would be added for nothing, and the baseline would be far too low. Before you compare a model with a baseline, look at **what the baseline sees**.
"""

# %% [markdown] lang="zh"
r"""
写 `relation_markers(token_ids, head, tail, marker_ids)`：

| 参数 | 说明 |
|---|---|
| `token_ids` | 整数列表，一句话 |
| `head`、`tail` | 一对整数 `(start, end)`：名字占第 start 到第 end − 1 个词元，**末端不含**，start < end；哪个在前都可能 |
| `marker_ids` | 四个整数：`head` 前面的记号、`head` 后面的、`tail` 前面的、`tail` 后面的 |

- **返回**三样：加好四个记号的新列表；`head` 的**第一个**记号在新列表里的位置；`tail` 的第一个记号在新列表里的位置。
- 记号紧贴名字。两个名字紧挨着（一个的 end 等于另一个的 start）不算交叠：前一个的后记号在先，后一个的前记号在后。
- 两段交叠（哪怕只有一个词元）：抛出 `ValueError`。
- 词元的次序不变，传进来的列表别改动。
"""

# %% [markdown] lang="en"
r"""
Write `relation_markers(token_ids, head, tail, marker_ids)`:

| Argument | Notes |
|---|---|
| `token_ids` | list of ints, a sentence |
| `head`, `tail` | pairs of ints `(start, end)`: the name is tokens start to end − 1, the **end is exclusive**, start < end; either may come first |
| `marker_ids` | four ints: the mark before `head`, after `head`, before `tail`, after `tail` |

- **Returns** three things: a new list with the four marks in it; the place of `head`'s **first** mark in the new list; the place of `tail`'s first mark in the new list.
- Marks touch their names. Names that touch each other (the end of one is the start of the other) don't overlap: the mark after the first name comes first, then the mark before the second.
- Where the two overlap, be it by a single token, raise `ValueError`.
- Tokens keep their order; don't change the list that you are handed.
"""


# %% exercise="relation_markers"
def relation_markers(token_ids, head, tail, marker_ids):
    """Put marks around the two names of a sentence, and say where the names begin now.

    Args:
        token_ids: list of ints.
        head: pair of ints (start, end), end exclusive, where the first name stands.
        tail: pair of ints (start, end), where the second name stands; it may come earlier.
        marker_ids: four ints: before head, after head, before tail, after tail.

    Returns:
        The triple of a list of ints, four longer; the place of head's first mark in it, an int;
        and the place of tail's first mark, an int.

    Raises:
        ValueError: the two names overlap.
    """
    ### BEGIN SOLUTION
    if head[0] < tail[1] and tail[0] < head[1]:
        raise ValueError(f"{head} and {tail} overlap")
    before_head, after_head, before_tail, after_tail = marker_ids
    marked = list(token_ids)
    # The later name first: what is put in there doesn't move the earlier one.
    spans = [(head, before_head, after_head), (tail, before_tail, after_tail)]
    for (start, end), before, after in sorted(spans, reverse=True):
        marked[start:end] = [before, *marked[start:end], after]
    is_head_first = head[0] < tail[0]
    return marked, head[0] + 2 * (not is_head_first), tail[0] + 2 * is_head_first
    ### END SOLUTION


# %% check="relation_markers"
check("relation_markers", relation_markers)

# %% [markdown] lang="zh"
r"""
**看一看。** 同一句话，问三个不同的问题。箭头标出读答案的两处：`head` 的前记号和 `tail` 的前记号。记号是 `[H`、`H]`、`[T`、`T]`。
"""

# %% [markdown] lang="en"
r"""
**See it.** One sentence and three questions about it; arrows point at the two places where the answer is read, the mark before `head` and the one before `tail`. The marks are `[H`, `H]`, `[T`, `T]`.
"""

# %% tags=["experiment"]
from bert_keras.analysis.task_strips import task_strips

if ready("relation_markers"):
    if LANG == "zh":
        sentence = "李雷雇用了韩梅，后来韩梅被王芳教过。"
        spans = [(0, 2), (5, 7), (13, 15)]  # the second name stands there twice
    else:
        sentence = "Ann hired Bo before Bo was taught by Cy .".split()
        spans = [(0, 1), (2, 3), (8, 9)]
    later = {"zh": (10, 12), "en": (4, 5)}[LANG]
    asked = [(spans[0], spans[1]), (later, spans[2]), (spans[2], spans[0])]
    strip_marks = {1000: "[H", 1001: "H]", 1002: "[T", 1003: "T]"}
    groups, places = [], []
    for number, (head, tail) in enumerate(asked, 1):
        ids, *where = relation_markers(range(len(sentence)), head, tail, list(strip_marks))
        shown = [(strip_marks[i], 0) if i in strip_marks else (sentence[i], 1) for i in ids]
        groups.append((str(number), [shown]))
        places.append([where])
    display(task_strips(groups, places))

# %% [markdown] lang="zh"
r"""
**用一用：从头训练一个。** 两个块，隐藏维度 64；两处的状态接起来（2D 个数），一个全连接层，九类。词表是训练句子里的词，加上四个新词元当记号；没有预训练，4000 句，150 步，十秒左右（电脑忙的话，一两分钟）。

**先猜**：它能不能超过数相邻两个字的基线？会错在哪里：分不清四种事，分不清谁对谁，还是把没关系的说成有关系？
"""

# %% [markdown] lang="en"
r"""
**Use it: train one from scratch.** Two blocks of hidden size 64; the states of both places are joined (2D numbers), and a dense layer gives nine scores. The vocabulary is the words of the training sentences, and four new tokens for the marks; no pretraining, 4000 sentences, 150 steps, about ten seconds (a minute or two on a busy computer).

**Predict**: will it pass the baseline that counts pairs of neighbours? And where will it go wrong: in which deed it is, in who did it to whom, or by seeing relations where there are none?
"""

# %% tags=["experiment"]
from collections import Counter

from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary

ROW = {"zh": 36, "en": 32}[LANG]  # the longest sentence fits
confusions = None  # filled by the next cell


class RelationReader(keras.Model):
    """A backbone, read at two places."""

    def __init__(self, backbone, num_classes):
        super().__init__()
        self.backbone = backbone
        self.dense = keras.layers.Dense(num_classes)

    def call(self, inputs):
        states = self.backbone(some_of(inputs))["sequence_output"]  # (B, T, D)
        at_marks = ops.take_along_axis(states, inputs["places"][..., None], axis=1)  # (B, 2, D)
        return self.dense(ops.reshape(at_marks, (-1, 2 * states.shape[-1])))  # (B, C)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return ops.mean(ops.sparse_categorical_crossentropy(y, y_pred, from_logits=True))


def relation_arrays(rows, reader, mark_ids):
    """Sentences with marks as arrays; [CLS] moves every place by one."""
    lines, places = [], []
    for row in rows:
        cuts = sorted({0, *row.head, *row.tail, len(row.text)})  # no word goes over a border
        ids, starts = [], {}
        for start, end in zip(cuts, cuts[1:]):
            starts[start] = len(ids)
            ids += reader.encode(row.text[start:end])
        starts[len(row.text)] = len(ids)
        head, tail = ((starts[start], starts[end]) for start, end in (row.head, row.tail))
        ids, *where = relation_markers(ids, head, tail, mark_ids)
        lines.append((ids, None))
        places.append([place + 1 for place in where])
    right = [RELATIONS.index(row.label) for row in rows]
    arrays = packing.pack_batch(lines, reader.vocabulary, ROW)
    return arrays | {"places": np.array(places, "int32")}, np.array(right, "int32")


# %% tags=["experiment"]
if ready("relation_markers"):
    counts = Counter(word for row in relations["train"] for word in basic_tokenize(row.text))
    common = [word for word, count in counts.most_common() if count >= 3]
    reader = WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, *common]))
    mark_ids = [len(reader.vocabulary) + i for i in range(4)]  # four new rows of the table
    relation_train, right_train = relation_arrays(relations["train"], reader, mark_ids)
    relation_test, right_test = relation_arrays(relations["test"], reader, mark_ids)
    keras.utils.set_random_seed(3)
    model = RelationReader(new_backbone(len(reader.vocabulary) + 4, ROW), len(RELATIONS))
    model.compile(optimizer=optimizer_for(150, 3e-3), jit_compile=False)
    losses = []
    for number, rows in enumerate(shuffled(len(right_train), 150, 64), 1):
        losses.append(float(model.train_on_batch(some(relation_train, rows), right_train[rows])))
        if number % 50 == 0:
            guesses = guesses_of(model, relation_test)
            mean, found = np.mean(losses[-50:]), np.mean(guesses == right_test)
            say(
                f"到第 {number} 步，这 50 步的平均损失 {mean:.2f}，测试准确率 {found:.3f}",
                f"step {number}, mean loss of these 50 steps {mean:.2f}, test accuracy {found:.3f}",
            )
    confusions = np.zeros((len(RELATIONS),) * 2, int)
    np.add.at(confusions, (right_test, guesses), 1)
    words = chart_words(LANG)
    with chart(1, width=5.6, height=4.6) as (axis,):
        axis.imshow(confusions, cmap="Blues")
        for i, line in enumerate(confusions):
            for j, count in enumerate(line):
                if count:
                    ink = "white" if count > confusions.max() / 2 else "black"
                    axis.text(j, i, count, ha="center", va="center", color=ink, fontsize=9)
        axis.set_xticks(range(len(RELATIONS)), RELATIONS, rotation=60, ha="right")
        axis.set_yticks(range(len(RELATIONS)), RELATIONS)
        axis.grid(False)
        axis.set_xlabel(words("模型说的关系（head 对 tail）", "what the model says (head to tail)"))
        axis.set_ylabel(words("真正的关系（head 对 tail）", "true relation (head to tail)"))
    same_deed = [
        [one.removesuffix("_by") == two.removesuffix("_by") for two in RELATIONS]
        for one in RELATIONS
    ]
    wrong = confusions * ~np.eye(len(RELATIONS), dtype=bool)
    say(
        f"{len(right_test)} 句里错了 {wrong.sum()} 句；其中事没认错、只是谁对谁反了的"
        f" {wrong[np.array(same_deed)].sum()} 句",
        f"{wrong.sum()} of {len(right_test)} wrong; in {wrong[np.array(same_deed)].sum()} of them "
        f"the deed is right and only who did it to whom is not",
    )

# %% [markdown] lang="zh"
r"""
对角线上是答对的，其余的是答错的：看它们在哪一行，跟你猜的对一对；准确率也跟前面数相邻两个字的基线比一比。这个任务不靠预训练也学得会：句式就那么几种，词就那么几个，测试里新的只有姓，而名字反正都有记号标着。评论正相反，用词没完没了，好话坏话的说法谁也列不全。**预训练值不值，要看任务需要的东西里，有多少是这点标签教不会、别处却学得到的**。
"""

# %% [markdown] lang="en"
r"""
Right answers are on the diagonal; look in which rows the others are, and hold both them and the accuracy, beside that of counting neighbours, against what you predicted. This task can be learnt without pretraining: there are only so many forms and so many words, all that is new in the test are family names, and names are marked anyway. With reviews it is the other way round: there is no end of words, and nobody can list all the ways to praise and to criticise. **Whether pretraining pays depends on how much of what a task needs can't be taught by its few labels, and can be learnt elsewhere.**
"""

# %% [markdown] lang="zh"
r"""
## 6a.6 练习：选择题

一道题，四个答案。不能把四个答案接成一长行，再让模型说“第几个”：那样它得记住谁排第几，答案换个次序就糊涂了。BERT 的办法是把每个答案和上文拼成**单独的一行**，每行打一个分数，softmax 在这四个分数之间做：

```text
inputs (B, K, T)
      │ 折成一长列
  rows (B·K, T)
      │ encode
       (B·K, D)
      │ scorer：每行一个分数
       (B·K, 1)
      │ 折回来
logits (B, K)
```
"""

# %% [markdown] lang="en"
r"""
## 6a.6 Exercise: multiple choice

One question, four answers. Joining the four answers into one long row and letting the model say "number three" doesn't work: it would have to learn to count, and would fail as soon as the answers change places. BERT packs each answer with the context into **a row of its own**, gives each row one score, and the softmax is over the four scores:

```text
inputs (B, K, T)
      │ fold into one long column
  rows (B·K, T)
      │ encode
       (B·K, D)
      │ scorer: one score for each row
       (B·K, 1)
      │ fold back
logits (B, K)
```
"""

# %% [markdown] lang="zh"
r"""
写 `multiple_choice_forward(inputs, encode, scorer)`：

| 参数 | 说明 |
|---|---|
| `inputs` | 字典：`token_ids`（整数）、`segment_ids`（整数）、`padding_mask`（布尔），形状都是 (B, K, T)：B 道题，每题 K 个答案，每个答案连同上文拼成一行 |
| `encode` | `encode(rows)`，`rows` 是同样三个名字的字典，形状 (B·K, T)；返回每行一个向量，(B·K, D) |
| `scorer` | `scorer(x)`，(B·K, D) → (B·K, 1)：一行一个分数 |

- **返回** (B, K) 的 logits：第 b 行第 k 个，是第 b 题第 k 个答案的分数；softmax 以后在答案之间做，这里不做。
- 答案换了次序，分数跟着换，别的不变。K 可以是任何数；`encode` 只调用一次。
- 三样输入都要折；布尔的还是布尔。训练时 B 还不知道，K 和 T 知道；只用 `ops`。
"""

# %% [markdown] lang="en"
r"""
Write `multiple_choice_forward(inputs, encode, scorer)`:

| Argument | Notes |
|---|---|
| `inputs` | dict of `token_ids` (int), `segment_ids` (int) and `padding_mask` (bool), each of shape (B, K, T): B questions, K answers each, every answer packed with the context into a row |
| `encode` | `encode(rows)`, where `rows` is a dict with the same three names, of shape (B·K, T); returns a vector for each row, (B·K, D) |
| `scorer` | `scorer(x)`, (B·K, D) → (B·K, 1): one score for each row |

- **Returns** logits (B, K): entry (b, k) is the score of answer k to question b; the softmax over answers comes later, not here.
- When answers change places, their scores change places with them, and nothing else happens. K may be any number; `encode` is called once.
- Fold all three inputs; what is boolean stays so. In training B is unknown, K and T are known; use `ops` only.
"""


# %% exercise="multiple_choice_forward"
def multiple_choice_forward(inputs, encode, scorer):
    """Score every answer to every question, each in a row of its own.

    Args:
        inputs: dict of token_ids (int), segment_ids (int) and padding_mask (bool, True = a real
            token), tensors of shape (B, K, T).
        encode: callable, a dict of such tensors of shape (B K, T) to a float tensor (B K, D).
        scorer: callable, (B K, D) to (B K, 1).

    Returns:
        float tensor of shape (B, K), logits.
    """
    ### BEGIN SOLUTION
    choices, length = inputs["token_ids"].shape[1:]
    rows = {name: ops.reshape(x, (-1, length)) for name, x in inputs.items()}  # (B K, T) each
    return ops.reshape(scorer(encode(rows)), (-1, choices))  # (B, K)
    ### END SOLUTION


# %% check="multiple_choice_forward"
check("multiple_choice_forward", multiple_choice_forward)

# %% [markdown] lang="zh"
r"""
**看一看。** 一道题是四行，每行都带着整个上文；分数从 [CLS] 那里读。
"""

# %% [markdown] lang="en"
r"""
**See it.** A question is four rows, each with the whole context; the score is read at [CLS].
"""

# %% tags=["experiment"]
if LANG == "zh":
    story, options = list("东村产茶，西村产盐。西村产什么？"), ["茶", "盐", "纸", "瓷器"]
else:
    story = "East makes tea , West makes salt . What does West make ?".split()
    options = ["tea", "salt", "paper", "glass"]
lines = []
for option in options:
    answer = list(option) if LANG == "zh" else [option]
    lines.append(
        [("[CLS]", 0), *((token, 1) for token in story), ("[SEP]", 0)]
        + [(token, 2) for token in answer]
        + [("[SEP]", 0)]
    )
display(task_strips([(text("一道题", "a question"), lines)], [[[0]] * 4]))

# %% [markdown] lang="zh"
r"""
**用一用：换了次序会怎样？** 题目是程序造的：讲两个地方，每个地方讲几件事，再问其中的一件；四个答案里，两个上文里都有（一个是问的地方的，一个是另一个地方的），两个没有。所以“挑一个上文里出现过的”就能对一半。只数词的模型（挑 TF-IDF 最像上文的答案）也就做到那样。

再让没有训练过的小骨干打分，把答案倒过来排，再打一遍：分数应当也正好倒过来。
"""

# %% [markdown] lang="en"
r"""
**Use it: what if the answers change places?** The questions are made by a program: some facts about two places, and a question about one of them; of the four answers two occur in the text (one is true of the place in question, the other of the other place), and two don't. So "take one that occurs in the text" is right half of the time, and a model that counts words (take the answer whose TF-IDF is most like the context) gets about that far.

Then let a small backbone that has learnt nothing score them, and score them once more in reverse order: the scores should be reversed, too.
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import generated_readings

readings = generated_readings.load(language=LANG)
row = readings["test"][0]
print(row.context)
print(row.choices, "→", row.choices[row.label])
try:
    share = bars.tfidf_choice(readings, analyzer={"zh": "char", "en": "word"}[LANG])
    say(f"最像上文的答案：{share:.3f}", f"the answer most like the context: {share:.3f}")
except CorpusError as problem:
    print(problem)

if pretrained and ready("multiple_choice_forward"):
    keras.utils.set_random_seed(4)
    untrained = new_backbone(len(vocabulary), 192)  # the question stands at the end: cut nothing
    one_score = keras.layers.Dense(1)

    def first_states(rows):
        return untrained(rows)["sequence_output"][:, 0]

    pairs = [
        (tokenizer.encode(row.context), tokenizer.encode(choice))
        for row in readings["test"][:2]
        for choice in row.choices
    ]
    arrays = {
        name: array.reshape(2, 4, 192)
        for name, array in packing.pack_batch(pairs, vocabulary, 192).items()
    }
    upside_down = {name: array[:, ::-1] for name, array in arrays.items()}
    there = np.asarray(multiple_choice_forward(arrays, first_states, one_score))
    back = np.asarray(multiple_choice_forward(upside_down, first_states, one_score))
    print(np.round(there, 4))
    print(np.round(back, 4))
    say(
        f"倒回来比，最多差 {np.abs(there - back[:, ::-1]).max():.0e}",
        f"reversed again, they differ by {np.abs(there - back[:, ::-1]).max():.0e} at most",
    )

# %% [markdown] lang="zh"
r"""
训练好的小模型能不能认出问的是哪个地方？那要几分钟，见 6a.10 存好的实验。
"""

# %% [markdown] lang="en"
r"""
Can a small model, once trained, tell which place was meant? That takes minutes; see the stored experiments of 6a.10.
"""

# %% [markdown] lang="zh"
r"""
## 6a.7 练习：一句口令，两个问题

“[周末][拉萨]会下雨吗”：想干什么（意图，intent），还有办这件事要的细节（槽，slot）：哪一天，哪座城。意图是整句的一个类，从 [CLS] 读；槽是**每个词元**的一个标签，从各个词元自己的状态读：`B-city` 是一座城的第一个词元，`I-city` 是后面的，`O` 什么也不是。两个头接在同一个骨干上，一起训练。

一个词被切成几个子词（subword）时，只有第一个子词有标签；别的，连同 [CLS]、[SEP] 和填充，标签都是 −1，意思是**不判**。
"""

# %% [markdown] lang="en"
r"""
## 6a.7 Exercises: one command, two questions

"does it rain in [lima] [on sunday]": what is wanted (the intent), and which details go with it (the slots): which day, which city. The intent is one class for the sentence, read at [CLS]; a slot is a tag for **every token**, read from that token's own state: `B-city` is the first token of a city, `I-city` a later one, `O` is nothing. Both heads sit on one backbone and are trained together.

Where a word is cut into several subwords, only the first of them has a tag; the others, as well as [CLS], [SEP] and padding, have −1, which means **not judged**.
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import generated_commands
from bert_keras.training.tasks.tagging import TagReader

commands = generated_commands.load(language=LANG, size=2000)
INTENTS = sorted({row.intent for row in commands["train"]})
for row in commands["train"][:3]:
    print(row.intent, " ".join(f"{t}/{tag}" for t, tag in zip(row.tokens, row.slots)))

# %% [markdown] lang="zh"
r"""
### 两个损失相加

写 `joint_intent_slot_loss(intent_logits, slot_logits, intent, slots)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `intent_logits` | (B, C) | 浮点，每种意图的 logit |
| `slot_logits` | (B, T, S) | 浮点，每个词元、每种标签的 logit |
| `intent` | (B,) | 整数，正确的意图 |
| `slots` | (B, T) | 整数，正确的标签；**−1 = 不判**（[CLS]、[SEP]、填充、一个词后面的子词） |

- 意图的损失：交叉熵对 B 句求平均。槽的损失：交叉熵对**整批里所有要判的词元**求平均（不是先对每句平均），一个要判的都没有就是 0。
- **返回**两者之和，系数都是 1：float32 的一个数，形状 ()，单位奈特。
- 不判的位置上不管 logits 是什么（都是有限的数），损失和梯度都不受影响。
- logits 没有做过 softmax。只用 `ops`。
"""

# %% [markdown] lang="en"
r"""
### Two losses, one sum

Write `joint_intent_slot_loss(intent_logits, slot_logits, intent, slots)`:

| Argument | Shape | Notes |
|---|---|---|
| `intent_logits` | (B, C) | float, a logit for each intent |
| `slot_logits` | (B, T, S) | float, a logit for each token and each tag |
| `intent` | (B,) | ints, the right intents |
| `slots` | (B, T) | ints, the right tags; **−1 = not judged** ([CLS], [SEP], padding, later pieces of a word) |

- Intent loss: cross-entropy, averaged over the B sentences. Slot loss: cross-entropy, averaged over **all judged tokens of the batch** (not sentence by sentence first); 0 if there is none.
- **Returns** their sum, each counting once: one float32 number of shape (), in nats.
- Whatever the logits are at places that aren't judged (they are finite), neither loss nor gradient depends on them.
- The logits are from before any softmax. Use `ops` only.
"""


# %% exercise="joint_intent_slot_loss"
def joint_intent_slot_loss(intent_logits, slot_logits, intent, slots):
    """Add the mean cross-entropy of intents and that of all judged tokens.

    Args:
        intent_logits: float tensor of shape (B, C).
        slot_logits: float tensor of shape (B, T, S).
        intent: int tensor of shape (B,), the right intents.
        slots: int tensor of shape (B, T), the right tags; -1 where a token is not judged.

    Returns:
        float32 tensor of shape (), in nats.
    """
    ### BEGIN SOLUTION
    intent_scores = ops.cast(intent_logits, "float32")
    per_sentence = ops.sparse_categorical_crossentropy(
        intent, intent_scores, from_logits=True
    )  # (B,)
    slot_scores = ops.cast(slot_logits, "float32")
    is_judged = ops.cast(slots >= 0, "float32")  # (B, T)
    per_token = ops.sparse_categorical_crossentropy(
        ops.maximum(slots, 0), slot_scores, from_logits=True
    )  # (B, T)
    slot_loss = ops.sum(is_judged * per_token) / ops.maximum(ops.sum(is_judged), 1.0)
    return ops.mean(per_sentence) + slot_loss
    ### END SOLUTION


# %% check="joint_intent_slot_loss"
check("joint_intent_slot_loss", joint_intent_slot_loss)

# %% [markdown] lang="zh"
r"""
### 整句都对才算对

写 `frame_accuracy(intent, predicted_intent, slots, predicted_slots)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `intent`、`predicted_intent` | (B,) | 整数数组：正确的意图，模型说的意图 |
| `slots`、`predicted_slots` | (B, T) | 整数数组：正确的标签（−1 = 不判），模型给的标签 |

- 一句话算对：意图对，**而且**每个要判的位置上标签都对。不判的位置上模型说什么都行。
- 没有任何位置要判的句子，只看意图。
- **返回** Python 的 float：对的句子占几成，0 到 1。B ≥ 1。可以用 NumPy。
"""

# %% [markdown] lang="en"
r"""
### Right only as a whole

Write `frame_accuracy(intent, predicted_intent, slots, predicted_slots)`:

| Argument | Shape | Notes |
|---|---|---|
| `intent`, `predicted_intent` | (B,) | int arrays: the right intents, and what the model says |
| `slots`, `predicted_slots` | (B, T) | int arrays: the right tags (−1 = not judged), and what the model says |

- A sentence is right if its intent is right **and** the tag is right at every judged place. What the model says elsewhere doesn't matter.
- A sentence without any judged place is right if its intent is.
- **Returns** a Python float, the share of right sentences, 0 to 1. B ≥ 1. You may use NumPy.
"""


# %% exercise="frame_accuracy"
def frame_accuracy(intent, predicted_intent, slots, predicted_slots):
    """Share of sentences with the right intent and all judged tags right.

    Args:
        intent: int array of shape (B,), the right intents.
        predicted_intent: int array of shape (B,).
        slots: int array of shape (B, T), the right tags; -1 where none is judged.
        predicted_slots: int array of shape (B, T).

    Returns:
        float from 0 to 1.
    """
    ### BEGIN SOLUTION
    is_right = (np.asarray(slots) == predicted_slots) | (np.asarray(slots) < 0)  # (B, T)
    whole = is_right.all(axis=1) & (np.asarray(intent) == predicted_intent)  # (B,)
    return float(whole.mean())
    ### END SOLUTION


# %% check="frame_accuracy"
check("frame_accuracy", frame_accuracy)

# %% [markdown] lang="zh"
r"""
**用一用。** 从 6a.3 预训练过的小骨干出发，800 句带标签的口令，150 步（几秒钟；电脑忙的话，一两分钟）。测试分两份：200 句的句式训练时见过，只是词换了；250 句左右连**句式都没见过**。骨干的词表是评论的，口令里的生僻字会变成 [UNK]。

**先猜**：意图的准确率、要判的词元的准确率、整句都对的比例，三个数哪个最低？低多少？
"""

# %% [markdown] lang="en"
r"""
**Use it.** Start from the small backbone that 6a.3 pretrained, with 800 commands and 150 steps (some seconds, or a minute or two on a busy computer). There are two tests: 200 sentences whose forms training has seen, with other words in them; and about 250 whose very **forms are new**. The vocabulary is that of the film reviews, so names come in pieces.

**Predict**: accuracy of intents, accuracy of judged tokens, share of sentences that are right as a whole: which is lowest, and by how much?
"""


# %% tags=["experiment"]
class CommandReader(keras.Model):
    """A backbone with two heads, and the loss of both."""

    def __init__(self, backbone, num_intents, num_tags):
        super().__init__()
        self.backbone = backbone
        self.intent_dense = keras.layers.Dense(num_intents)
        self.slot_dense = keras.layers.Dense(num_tags)

    def call(self, inputs):
        states = self.backbone(some_of(inputs))["sequence_output"]
        return self.intent_dense(states[:, 0]), self.slot_dense(states)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return joint_intent_slot_loss(*y_pred, y["intent"], y["slots"])


if pretrained and ready("joint_intent_slot_loss", "frame_accuracy"):
    tag_reader = TagReader((row.slots for row in commands["train"]), legal=False)
    parts = {
        "train": commands["train"][:800],
        text("见过的句式", "known forms"): commands["train"][800:1000],
        text("新的句式  ", "new forms  "): commands["test"],
    }
    encoded = {}
    for part, rows in parts.items():
        arrays, slots, _ = tag_reader.encode([row.tagged for row in rows], tokenizer, 32)
        intent = np.array([INTENTS.index(row.intent) for row in rows], "int32")
        encoded[part] = arrays, {"intent": intent, "slots": slots.astype("int32")}
    arrays, targets = encoded["train"]
    print(" ".join(vocabulary.words(arrays["token_ids"][0, :14])), targets["slots"][0, :14])

    keras.utils.set_random_seed(5)
    backbone.set_weights(pretrained)
    understander = CommandReader(backbone, len(INTENTS), len(tag_reader.tags))
    understander.compile(optimizer=optimizer_for(150, 2e-3), jit_compile=False)
    for rows in shuffled(800, 150, 32):
        understander.train_on_batch(some(arrays, rows), some(targets, rows))
    for part in list(parts)[1:]:
        arrays, targets = encoded[part]
        scores = understander(arrays, training=False)
        told, tags = (ops.convert_to_numpy(one).argmax(axis=-1) for one in scores)
        intent, slots = targets["intent"], targets["slots"]
        intent_right = np.mean(told == intent)
        tags_right = np.mean((tags == slots)[slots >= 0])
        whole = frame_accuracy(intent, told, slots, tags)
        say(
            f"{part}：意图 {intent_right:.3f}，词元 {tags_right:.3f}，整句 {whole:.3f}；"
            f"一句要判 {np.mean((slots >= 0).sum(axis=1)):.1f} 个词元，"
            f"其中 {np.mean(slots[slots >= 0] == tag_reader.tags.index('O')):.0%} 是 O",
            f"{part}: intents {intent_right:.3f}, tokens {tags_right:.3f}, whole sentences "
            f"{whole:.3f}; {np.mean((slots >= 0).sum(axis=1)):.1f} tokens judged in a sentence, "
            f"{np.mean(slots[slots >= 0] == tag_reader.tags.index('O')):.0%} of them O",
        )

# %% [markdown] lang="zh"
r"""
整句都对的比例，不可能高于意图的准确率；它比两样单独看都苛刻：一句里要判的词元有好几个，错一个就全错。报成绩时只报词元的准确率，听起来总比较高，因为一大块是最好猜的 `O`。用户要的是整句办对，所以这个任务按整句评分。再把两份测试比一比：背得出句式，不等于听得懂话。
"""

# %% [markdown] lang="en"
r"""
The share of whole sentences can't be above the accuracy of intents; it is stricter than either figure by itself, since a sentence has several judged tokens and one wrong tag spoils it. Accuracy of tokens alone sounds higher, because a large part of them are `O`, which is easiest to guess. A user wants the whole command done right, and that is how this task is scored. Then compare the two tests: to know forms by heart is not to understand.
"""

# %% [markdown] lang="zh"
r"""
## 6a.8 练习：越靠下，学得越慢

预训练好的骨干，越靠下的层管的越是通用的东西（字、词、搭配），越靠上的越接近猜字这件事本身；头则是随机的。一种常用的做法是给各层不同的学习率：头最快，往下每层乘一个小于 1 的数，嵌入最慢（[Howard 和 Ruder 2018](https://arxiv.org/abs/1801.06146)）。4a 的逐层解冻是“动或不动”，这里是“动得快或慢”。

哪个变量在哪一层，看它的**路径**就知道：
"""

# %% [markdown] lang="en"
r"""
## 6a.8 Exercise: the further down, the slower

In a pretrained backbone the lower layers hold what is of use everywhere (characters, words, phrases), the upper ones come nearer to the guessing itself, and the head is random. So people often give each layer a learning rate of its own: the head learns fastest, each layer further down gets a factor of less than 1, and the embeddings are slowest ([Howard and Ruder 2018](https://arxiv.org/abs/1801.06146)). Gradual unfreezing in 4a was "may move or may not"; this is "moves faster or slower".

Which layer a variable is in can be read off its **path**:
"""

# %% tags=["experiment"]
if pretrained and ready("classifier_head"):
    classifier = SentenceClassifier(backbone, 2)
    classifier(some(train, slice(2)))  # makes the head's weights
    paths = [variable.path for variable in classifier.trainable_variables]
    print(*(path for path in paths if path.endswith(("embeddings", "query/kernel"))), sep="\n")
    print(paths[-2])

# %% [markdown] lang="zh"
r"""
写 `layerwise_decay(path, learning_rate, decay, num_layers)`：

| 参数 | 说明 |
|---|---|
| `path` | 字符串，变量的路径，各段用 `/` 隔开，如 `text_classifier/bert_backbone/encoder_block_0/self_attention/query/kernel` |
| `learning_rate` | 数，头的学习率 |
| `decay` | 数，往下一层乘一次，0 < `decay` ≤ 1 |
| `num_layers` | 整数，编码器块的个数 L |

- 路径里有一段正好是 `encoder_block_{l}`（l 从 0 数起，0 在最下面）：学习率乘 `decay` 的 L − l 次方。所以最上面的块乘一次。
- 路径里有一段正好是 `embeddings`，**最后一段不算**（最后一段是变量自己的名字，嵌入表都叫这个名字）：学习率乘 `decay` 的 L + 1 次方。块里没有这样的段。
- 其余的（池化层、各种头）：原样。名字里只是**含有** `embeddings` 或 `encoder_block` 的段，如 `label_embeddings`，不算。
- **返回** Python 的 float。
"""

# %% [markdown] lang="en"
r"""
Write `layerwise_decay(path, learning_rate, decay, num_layers)`:

| Argument | Notes |
|---|---|
| `path` | a string, the path of a variable, its parts separated by `/`, such as `text_classifier/bert_backbone/encoder_block_0/self_attention/query/kernel` |
| `learning_rate` | a number, the rate of the heads |
| `decay` | a number, a factor for every layer further down, 0 < `decay` ≤ 1 |
| `num_layers` | int, the number L of encoder blocks |

- Where one part of the path is just `encoder_block_{l}` (l counts from 0, 0 is the lowest): the rate times `decay` to the power L − l. So the topmost block has one factor.
- Where one part is just `embeddings`, **the last part not counting** (it is the variable's own name, and every table of embeddings has that one): the rate times `decay` to the power L + 1. Blocks have no such part.
- Everything else (pooler, heads): the rate as it is. A part that only **contains** `embeddings` or `encoder_block`, such as `label_embeddings`, doesn't count.
- **Returns** a Python float.
"""


# %% exercise="layerwise_decay"
def layerwise_decay(path, learning_rate, decay, num_layers):
    """The learning rate of one variable: the further down in the model, the lower.

    Args:
        path: str, the path of the variable, with parts separated by "/".
        learning_rate: float, the rate of the heads.
        decay: float, the factor for every layer further down.
        num_layers: int, the number L of encoder blocks.

    Returns:
        float: the rate times decay to the power L - l in encoder block l, L + 1 in the embeddings;
        elsewhere the rate as it is.
    """
    ### BEGIN SOLUTION
    parts = path.split("/")[:-1]
    depth = 0
    for layer in range(num_layers):
        if f"encoder_block_{layer}" in parts:
            depth = num_layers - layer
    if "embeddings" in parts:
        depth = num_layers + 1
    return float(learning_rate * decay**depth)
    ### END SOLUTION


# %% check="layerwise_decay"
check("layerwise_decay", layerwise_decay)

# %% [markdown] lang="zh"
r"""
**看一看。** BERT-base 有 12 个块；头的学习率是 2e-5，三种 `decay`，各层分到多少？纵轴是对数刻度。先猜：`decay` 是 0.8 时，嵌入的学习率是头的几分之一？
"""

# %% [markdown] lang="en"
r"""
**See it.** BERT-base has 12 blocks; with a rate of 2e-5 for the head, what do the layers get for three values of `decay`? The vertical axis is logarithmic. Guess first: with a `decay` of 0.8, what share of the head's rate is left for the embeddings?
"""

# %% tags=["experiment"]
if ready("layerwise_decay"):
    ladder = ["bert/embeddings/token_embedding/embeddings"]
    ladder += [f"bert/encoder_block_{layer}/feed_forward/output/kernel" for layer in range(12)]
    ladder += ["classifier/dense/kernel"]
    words = chart_words(LANG)
    with chart(1, width=5.6, height=3.2) as (axis,):
        for i, decay in enumerate((1.0, 0.95, 0.8)):
            rates = [layerwise_decay(path, 2e-5, decay, 12) for path in ladder]
            axis.semilogy(
                range(14),
                rates,
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=STYLES[i],
                label=f"decay = {decay}",
            )
            print(decay, f"{rates[0]:.1e} … {rates[-1]:.1e}", f"{rates[0] / rates[-1]:.3f}")
        axis.set_xticks(
            range(14),
            [words("嵌入", "emb."), *map(str, range(12)), words("头", "head")],
            fontsize=9,
        )
        axis.set(xlabel=words("层", "layer"), ylabel=words("学习率", "learning rate"))
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
`decay` 是 0.8 时，嵌入要乘 13 次：$0.8^{13} \approx 0.055$，只剩头的十八分之一。0.95 时还有一半。层数多，`decay` 就不能取得太小，不然下面的层几乎等于冻住了。

**用一用：谁动了多少？** 有一种流传很广的说法：微调只训练最后几层。量一量。同样的 400 条标签、同样的步数，从预训练过的小骨干出发，`decay` 取 1 和 0.5 各训练一次；训练完，看每一部分离开出发点多远：把它的参数当成一个长向量，变化的长度除以原来的长度。（两次一共不到十秒，电脑忙的话要一两分钟。）**先猜**：`decay` = 1 时，嵌入动不动？
"""

# %% [markdown] lang="en"
r"""
With a `decay` of 0.8 the embeddings get 13 factors, $0.8^{13} \approx 0.055$: one eighteenth of the head's rate is left. With 0.95 it is half. The more layers there are, the nearer to 1 `decay` has to be, or else the lowest are as good as frozen.

**Use it: who moved how far?** It is often said that fine-tuning trains the last layers only. Measure it. With the same 400 labels and as many steps, start from the pretrained small backbone, once with a `decay` of 1 and once of 0.5; afterwards see how far each part is from where it began: the length of the difference, divided by the length of what was there. (Both runs together take some ten seconds, or a minute or two on a busy computer.) **Predict**: with a `decay` of 1, do the embeddings move?
"""


# %% tags=["experiment"]
class LayerwiseAdam(keras.optimizers.Adam):
    """Adam in which every variable has its own share of the learning rate."""

    def __init__(self, rate, decay, num_layers):
        super().__init__(rate, global_clipnorm=1.0)
        self.decay, self.num_layers = decay, num_layers

    def update_step(self, gradient, variable, learning_rate):
        path = self._trainable_variables[self._get_variable_index(variable)].path
        share = layerwise_decay(path, 1.0, self.decay, self.num_layers)
        super().update_step(gradient, variable, learning_rate * share)


def part_of(path):
    """Which part of the classifier a variable belongs to."""
    for layer in range(2):
        if f"encoder_block_{layer}/" in path:
            return f"encoder_block_{layer}"
    return "embeddings" if "embeddings/" in path else "head"


distance = {}
if pretrained and ready("classifier_head", "layerwise_decay"):
    for decay in (1.0, 0.5):
        keras.utils.set_random_seed(1)
        backbone.set_weights(pretrained)
        classifier = SentenceClassifier(backbone, 2)
        classifier(some(few, slice(2)))  # makes the head's weights
        before = {
            variable.path: ops.convert_to_numpy(variable) + 0.0  # a copy
            for variable in classifier.trainable_variables
        }
        classifier.compile(optimizer=LayerwiseAdam(1e-3, decay, 2), jit_compile=False)
        for rows in shuffled(LABELS, 75, 16):
            classifier.train_on_batch(some(few, rows), labels[rows])
        squares = {}
        for variable in classifier.trainable_variables:
            sums = squares.setdefault(part_of(variable.path), np.zeros(2))
            old = before[variable.path]
            sums += np.sum((ops.convert_to_numpy(variable) - old) ** 2), np.sum(old**2)
        distance[decay] = {part: np.sqrt(moved / size) for part, (moved, size) in squares.items()}
        found = accuracy(classifier, test, test_labels)
        print(
            f"decay = {decay}",
            text(f"准确率 {found:.3f}", f"accuracy {found:.3f}"),
            {part: round(float(share), 3) for part, share in distance[decay].items()},
        )
    words = chart_words(LANG)
    with chart(1, width=5.2, height=3.0) as (axis,):
        for i, (decay, shares) in enumerate(distance.items()):
            places = np.arange(len(shares)) + 0.4 * i
            axis.bar(
                places,
                list(shares.values()),
                width=0.38,
                color=COLOURS[i],
                hatch=("", "//")[i],
                edgecolor="white",
                label=f"decay = {decay}",
            )
        short = {
            "embeddings": words("嵌入", "embeddings"),
            "encoder_block_0": words("块 0", "block 0"),
            "encoder_block_1": words("块 1", "block 1"),
            "head": words("头", "head"),
        }
        axis.set_xticks(np.arange(len(shares)) + 0.2, [short[part] for part in shares])
        axis.set_ylabel(words("移动的距离（相对）", "distance moved (relative)"))
        axis.margins(y=0.35)  # room for the legend
        axis.legend(frameon=False)

# %% [markdown] lang="zh"
r"""
`decay` = 1 的那一组柱子里，每一部分都动了，嵌入也不例外：没有人告诉优化器只动最后几层，它就不会只动最后几层。头的柱子反而最矮，奇怪吗？学习率大家一样时，Adam 让每个数每步走的距离差不多，跟梯度大小关系不大；头的初值本来就大，除下来就显得小。所以这里量的不是谁学得多，只是谁动了、动了几成。

`decay` = 0.5 时，头的学习率没变，下面的一层比一层慢，动得也一层比一层少。准确率差了多少，看图上面那两行；哪个 `decay` 好，一个种子、两次训练说明不了（种子的起伏有多大，见 6a.10）。
"""

# %% [markdown] lang="en"
r"""
With a `decay` of 1 every part has moved, the embeddings included: unless somebody tells the optimizer to move the last layers only, it won't. Isn't it odd that the head's bar is the lowest? Where all have the same rate, Adam moves every number about as far in a step, however large its gradient; the head's weights are larger to begin with, so that the quotient is small. What is measured here isn't who learns most, but who has moved, and by which share.

With a `decay` of 0.5 the head's rate is as before, while each layer further down is slower and moves less. How the accuracies compare is printed above the chart; which `decay` is better, one seed and two runs can't tell (how far seeds differ is in 6a.10).
"""

# %% [markdown] lang="zh"
r"""
## 6a.9 用一用：换一个大的骨干

前面的小骨干只猜过半分钟的字。5c 里的 MiniLM 呢？六个块，隐藏维度 384，读过的英文多得多，还专门练过“意思近的句子，向量也近”。这里**一步也不微调**：骨干冻住，用你的 `classifier_head` 取出每句话的向量（`dropout` 和 `dense` 都换成“原样返回”），再做一个逻辑回归。

任务是英文的影评短句，600 句带标签，400 句测试；跟用同样 600 句的 TF-IDF 比。MiniLM 第一次用时要取一次（80 MB），取不到就跳过。算一千个向量要十秒左右；电脑忙的话，要几分钟。

**先猜**：读平均（`"mean"`）还是读第一个词元（`"cls"`）好？两样各比 TF-IDF 高多少？（提示：MiniLM 训练时，句子的向量用的是平均。）
"""

# %% [markdown] lang="en"
r"""
## 6a.9 Use it: a larger backbone

The small backbone has guessed words for half a minute. What of MiniLM, from 5c? Six blocks of hidden size 384, a great deal of English read, and trained besides so that sentences close in meaning have vectors close to each other. **Nothing is fine-tuned** here: the backbone is frozen, your `classifier_head` takes a vector from every sentence (with a `dropout` and a `dense` that return what they are given), and a logistic regression does the rest.

The task is the same as in 6a.1, sentences from film reviews: 600 with labels, 400 to test on, beside TF-IDF with the same 600. MiniLM is fetched when first used (80 MB); if it can't be had, the cell is skipped. A thousand vectors take about ten seconds, or a few minutes on a busy computer.

**Predict**: which is better, the mean (`"mean"`) or the first token (`"cls"`)? By how much does each of them beat TF-IDF? (A hint: in MiniLM's own training the vector of a sentence was the mean.)
"""

# %% tags=["experiment"]
import tempfile

minilm_figures = {}
if ready("classifier_head"):
    from bert_keras.checkpoints import build_backbone as backbone_of
    from bert_keras.checkpoints import minilm as packaged

    minilm, linear_model = None, None
    try:
        from sklearn import linear_model

        films = english_sentiment.load()
        with tempfile.TemporaryDirectory() as folder:
            minilm = packaged.load(folder)
    except CorpusError as problem:
        say(f"取不到 MiniLM，跳过：{problem}", f"MiniLM can't be had; skipping it: {problem}")
    except ImportError:
        say("没有安装 scikit-learn，跳过。", "scikit-learn is not installed; skipping it.")

    if minilm is not None:
        large = backbone_of(minilm, dropout=0.0)
        parts = {"train": films["train"][:600], "test": films["test"][:400]}
        reads = WordPieceTokenizer(minilm.vocabulary, minilm.lowercase)

        def same(x):
            return x

        vectors, right = {}, {}
        for part, rows in parts.items():
            encoded = [(reads.encode(row.text)[:38], row.label) for row in rows]
            encoded.sort(key=lambda pair: len(pair[0]))  # short ones together need fewer pads
            right[part] = [label for _, label in encoded]
            found = {"mean": [], "cls": []}
            for start in range(0, len(rows), 50):
                ids = [(one, None) for one, _ in encoded[start : start + 50]]
                batch = packing.pack_batch(ids, minilm.vocabulary, len(ids[-1][0]) + 2)
                states = large(batch)["sequence_output"]
                for pooling, pooled in found.items():
                    mask = batch["padding_mask"]
                    pooled.append(np.asarray(classifier_head(states, mask, pooling, same, same)))
            for pooling, pooled in found.items():
                vectors[part, pooling] = np.concatenate(pooled)
        for pooling in ("mean", "cls"):
            regression = linear_model.LogisticRegression(C=3.0, max_iter=2000)
            regression.fit(vectors["train", pooling], right["train"])
            minilm_figures[pooling] = regression.score(vectors["test", pooling], right["test"])
        minilm_figures["TF-IDF"] = bars.tfidf_logistic(parts)
        for name, share in minilm_figures.items():
            print(f"{name:6} {share:.3f}")

# %% [markdown] lang="zh"
r"""
400 句测试，一个准确率的标准误差大约是 2 个百分点；相差不到 4 个百分点，就别急着下结论。

同样的标签，同样简单的分类器，差的只是向量从哪里来。**骨干读得越多，要用标签教的就越少**：这时候微调才划算，有时连微调都用不着。微调整个 MiniLM 要几分钟，见下一节。
"""

# %% [markdown] lang="en"
r"""
With 400 sentences to test on, the standard error of an accuracy is about 2 points; don't jump to conclusions from differences below 4.

The same labels and the same simple classifier; what differs is where the vectors come from. **What the backbone has read, the head needn't learn**: that is when fine-tuning pays, or even needs no tuning at all. Fine-tuning all of MiniLM takes minutes; see the next section.
"""

# %% [markdown] lang="zh"
r"""
## 6a.10 存好的实验

每条断言都写在测量之前，成立不成立，照实打印。每个准确率都是至少三个种子的平均，± 后面是标准差。

**一、标签的多少。** 中文评论，同一个小 BERT（两个块，隐藏维度 64），三个出发点：随机的参数；在《人民日报》上猜过字的；在那之后又在**训练评论的文字**上接着猜字的（标签不看）。标签 200 条、1000 条、4000 条和全部。旁边是同样标签的 TF-IDF。
"""

# %% [markdown] lang="en"
r"""
## 6a.10 Stored experiments

Every claim was written down before anything was measured, and whether it held is printed as it came out. Every accuracy is a mean over three seeds at least, with the standard deviation behind ±.

**One: how many labels.** Chinese reviews and one small BERT (two blocks of hidden size 64) from three starting points: random weights; having guessed characters in a newspaper, People's Daily; and after that having gone on guessing in the **text of the training reviews**, labels unseen. There are 200, 1000, 4000 labels, and all of them; beside it TF-IDF with the same labels.
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


def spread(figure):
    return f"{figure['mean']:.3f} ± {figure['sd']:.3f}"


by_labels = stored("zh_sentiment_by_labels")
if by_labels:
    verdict_of(by_labels)
    names = {
        "scratch": ("从头", "scratch"),
        "newspaper": ("读过报纸", "newspaper"),
        "reviews": ("又读过评论", "and reviews"),
        "tfidf": ("TF-IDF", "TF-IDF"),
    }
    words = chart_words(LANG)
    with chart(1, width=5.2, height=3.4) as (axis,):
        for i, (name, pair) in enumerate(names.items()):
            figures = by_labels["figures"][name]
            axis.errorbar(
                range(len(figures)),
                [figure["mean"] for figure in figures.values()],
                yerr=[figure["sd"] for figure in figures.values()],
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=STYLES[i],
                capsize=3,
                label=words(*pair),
            )
            print(text(*pair), {count: spread(figure) for count, figure in figures.items()})
        counts = [words("全部", "all") if count == "all" else count for count in figures]
        axis.set_xticks(range(len(figures)), counts)
        axis.set(xlabel=words("标签", "labels"), ylabel=words("测试准确率", "test accuracy"))
        axis.legend(frameon=False, fontsize=9)

# %% [markdown] lang="zh"
r"""
**二、英文影评和 MiniLM。** 两种用法：冻住，取平均的向量做逻辑回归；整个微调。标签 400 条和 4000 条，旁边是同样标签的 TF-IDF。
"""

# %% [markdown] lang="en"
r"""
**Two: film reviews and MiniLM.** Used in two ways: frozen, with a logistic regression on mean vectors; and fine-tuned as a whole. 400 and 4000 labels, and TF-IDF with the same labels beside it.
"""


# %% tags=["experiment"]
def table_of(figures):
    """Nested figures as lines: a name, then what belongs to it."""
    for name, inner in figures.items():
        if "mean" in inner:
            print(f"{name:12} {spread(inner)}")
        else:
            print(f"{name:12}", "  ".join(f"{key} {spread(one)}" for key, one in inner.items()))


films_and_minilm = stored("en_sentiment_minilm")
if films_and_minilm:
    verdict_of(films_and_minilm)
    table_of(films_and_minilm["figures"])

# %% [markdown] lang="zh"
r"""
**三、成对的句子，和选择题。** 两句口令是不是一个意思（中文、英文），基线是数两句重合多少的逻辑回归；选择题就是 6a.6 的那种（英文），基线是挑最像上文的答案。小 BERT 先读过报纸，或者从头开始。
"""

# %% [markdown] lang="en"
r"""
**Three: pairs, and choices.** Do two commands say the same (Chinese and English)? The baseline is a logistic regression on how much they overlap. And questions like those of 6a.6 (English), where the baseline is to take the answer most like the context. The small BERT has read a newspaper first, or starts from scratch.
"""

# %% tags=["experiment"]
pairs_and_choices = stored("pairs_and_choices")
if pairs_and_choices:
    verdict_of(pairs_and_choices)
    table_of(pairs_and_choices["figures"])

# %% [markdown] lang="zh"
r"""
**四、意图和槽。** 真人写的口令句式（中文、英文各四十来种意图），测试的句式训练时没有见过。基线有两条：意图用 TF-IDF，槽用“见过的词，取最长的”。“整句”就是你写的 `frame_accuracy` 那样算。
"""

# %% [markdown] lang="en"
r"""
**Four: intents and slots.** Commands from templates that people wrote (some forty intents each in Chinese and English); the test has templates that training never saw. There are two baselines: TF-IDF for the intents, and "the longest match of what was seen" for the slots. "frame" is scored as by your `frame_accuracy`.
"""

# %% tags=["experiment"]
intents_and_slots = stored("intents_and_slots")
if intents_and_slots:
    verdict_of(intents_and_slots)
    for language_of, figures in intents_and_slots["figures"].items():
        print(language_of)
        table_of(figures)

# %% [markdown] lang="zh"
r"""
**五、种子。** 同一个预训练过的小 BERT，同样 200 条标签，只换微调的种子（头的初值、dropout、次序），跑十次。每次都在验证集和测试集上各量一次。要是只报十次里验证集最好的那一次，会显得多好？
"""

# %% [markdown] lang="en"
r"""
**Five: seeds.** One pretrained small BERT, the same 200 labels, ten runs that differ only in the seed of fine-tuning (first weights of the head, dropout, order). Each is measured on the dev and on the test part. If somebody reported only the run that is best on dev, how much better would it look?
"""

# %% tags=["experiment"]
seed_sweep = stored("seed_sweep")
if seed_sweep:
    verdict_of(seed_sweep)
    figures = seed_sweep["figures"]
    test_shares, dev_shares = (np.array(figures[name]["values"]) for name in ("test", "dev"))
    best = dev_shares.argmax()
    print(np.sort(test_shares).round(3))
    say(
        f"测试：平均 {test_shares.mean():.3f}，标准差 {test_shares.std(ddof=1):.3f}，"
        f"最低 {test_shares.min():.3f}，最高 {test_shares.max():.3f}",
        f"test: mean {test_shares.mean():.3f}, standard deviation {test_shares.std(ddof=1):.3f}, "
        f"lowest {test_shares.min():.3f}, highest {test_shares.max():.3f}",
    )
    say(
        f"验证集最好的那一次：验证 {dev_shares[best]:.3f}，测试 {test_shares[best]:.3f}；"
        f"验证集的平均 {dev_shares.mean():.3f}",
        f"the run that is best on dev: dev {dev_shares[best]:.3f}, test {test_shares[best]:.3f}; "
        f"mean on dev {dev_shares.mean():.3f}",
    )
    words = chart_words(LANG)
    with chart(1, width=4.2, height=3.2) as (axis,):
        axis.scatter(dev_shares, test_shares, color=COLOURS[0], zorder=3)
        axis.scatter(
            dev_shares[best],
            test_shares[best],
            facecolors="none",
            edgecolors=COLOURS[1],
            s=160,
            linewidths=2,
            zorder=4,
            label=words("验证集最好的", "best on dev"),
        )
        axis.set(xlabel=words("验证准确率", "dev accuracy"))
        axis.set_ylabel(words("测试准确率", "test accuracy"))
        axis.legend(frameon=False, fontsize=9)

# %% [markdown] lang="zh"
r"""
## 6a.11 找错练习

本节的 `patient` 是微调的一次前向：把检查点里的参数放进编码器，取一批句子，平均，打分，算损失。它跑得通，形状全对，可是有**一处**毛病。别的班拿到的毛病可能不一样。

先备好一套小小的参数 `trial`，好拿来做实验。
"""

# %% [markdown] lang="en"
r"""
## 6a.11 Debugging drill

`patient` of this section is one forward pass of fine-tuning: put the weights of a checkpoint into an encoder, take a batch of sentences, average, score, and compute the loss. It runs, all shapes are right, and it has **one** fault. Other classes may get other faults.

First get small arguments ready in `trial`, to experiment with.
"""

# %% tags=["experiment"]
def toy_encode(weights, token_ids, segment_ids, padding_mask):
    """Two tables, and the mean of the real tokens added to each."""
    x = ops.take(weights["tokens"], token_ids, axis=0)
    x = x + ops.take(weights["segments"], ops.cast(segment_ids, "int32"), axis=0)  # (B, T, D)
    is_real = ops.cast(padding_mask, "float32")[..., None]
    count = ops.maximum(ops.sum(is_real, axis=1, keepdims=True), 1.0)
    return x + ops.sum(x * is_real, axis=1, keepdims=True) / count


def toy_dropout(x):
    """Half of the features, others in every call."""
    return 2.0 * x * np.random.default_rng().integers(0, 2, x.shape).astype("float32")


rng = np.random.default_rng(11)
toy_weights = {
    name: rng.normal(size=size).astype("float32")
    for name, size in (("tokens", (9, 4)), ("segments", (2, 4)))
}
toy_kernel = rng.normal(size=(4, 3)).astype("float32")
trial = {
    "fresh": {name: 0.1 * array for name, array in toy_weights.items()},
    "checkpoint": {f"bert.{name}": array for name, array in toy_weights.items()},
    "inputs": {
        "token_ids": np.array([[1, 5, 2, 6, 2], [1, 7, 2, 0, 0], [1, 8, 3, 2, 0]]),
        "segment_ids": np.array([[0, 0, 0, 1, 1], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0]]),
        "padding_mask": np.arange(5) < np.array([[5], [3], [4]]),
    },
    "labels": np.array([0, 2, 1]),
    "order": np.array([2, 0]),
    "encode": toy_encode,
    "dropout": toy_dropout,
    "dense": lambda x: ops.matmul(x, toy_kernel),
    "training": False,
}

# %% [markdown] lang="zh"
r"""
`patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training)`：

| 参数 | 说明 |
|---|---|
| `fresh` | 字典，名字 → 数组：编码器还没有装入检查点时的参数 |
| `checkpoint` | 字典，名字 → 数组。编码器的参数在 `fresh` 里叫什么，在这里就叫“`bert.` 加那个名字”；别的（如 `cls.` 开头的）用不着 |
| `inputs` | 字典：`token_ids`（整数）、`segment_ids`（整数）、`padding_mask`（布尔），形状 (N, T) |
| `labels` | (N,) 整数，每句正确的类 |
| `order` | (B,) 整数，这一批要哪几行、按什么次序 |
| `encode` | `encode(weights, token_ids, segment_ids, padding_mask)`，依次是参数的字典和三样 (B, T) 的输入；返回 (B, T, D) |
| `dropout`、`dense` | 可调用，同 6a.2；`dropout` 只在训练时用 |
| `training` | 布尔 |

**返回**一对 `(logits, loss)`：(B, C) 的 logits，次序同 `order`；这一批的平均交叉熵，float32 的一个数。读的是真词元的平均。`fresh` 里有、`checkpoint` 里没有的参数：抛出 `ValueError`。

1. 光看代码也许就看出来了；看出来了，也请做个实验证实。运行过 `patient` 以后，`patient(**trial)` 就跑一次，`patient(**trial | {"training": True})` 只换一样再跑。检查点乘 2，logits 变不变？换掉一个片段号、一个填充呢？`training` 是假的时候，调用两次一样吗？`order` 倒过来，损失变不变？把 `dense` 的结果加大十倍，损失怎么变？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `checkpoint_not_loaded` | 名字前缀对不上，参数一个也没有装进去，还是随机的 |
| `segments_all_zero` | 片段号没有交给编码器，全是 0 |
| `mask_and_segments_exchanged` | 片段号和掩码的位置交换了 |
| `padding_in_mean` | 平均时把填充也算进去了 |
| `dropout_at_prediction` | 预测时也在 dropout |
| `labels_not_reordered` | 句子按 `order` 取了，标签没有 |
| `softmax_before_loss` | 损失收的是做过 softmax 的数，它自己又做了一次 |

说对名字得 1 分，修好得 5 分。
"""

# %% [markdown] lang="en"
r"""
`patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training)`:

| Argument | Notes |
|---|---|
| `fresh` | dict, name → array: the encoder's weights before a checkpoint is loaded |
| `checkpoint` | dict, name → array. A weight of the encoder has the name that it has in `fresh`, with `bert.` in front; whatever else there is (such as `cls.` …) is of no use |
| `inputs` | dict of `token_ids` (int), `segment_ids` (int) and `padding_mask` (bool), of shape (N, T) |
| `labels` | (N,) ints, the right classes |
| `order` | (B,) ints, which rows make this batch, in this order |
| `encode` | `encode(weights, token_ids, segment_ids, padding_mask)`, in this order: a dict of weights, and three inputs (B, T); returns (B, T, D) |
| `dropout`, `dense` | callables as in 6a.2; `dropout` in training only |
| `training` | a bool |

It **returns** the pair `(logits, loss)`: logits (B, C), in the order of `order`; and the mean cross-entropy of the batch, one float32 number. What is read is the mean of real tokens. A weight that is in `fresh` and not in `checkpoint` raises `ValueError`.

1. You may see it in the code at once; even so, prove it by an experiment. Once `patient` has been run, `patient(**trial)` calls it, and `patient(**trial | {"training": True})` calls it with one thing changed. Multiply the checkpoint by 2, do the logits change? Change a segment, or a pad? With `training` false, do two calls agree? Turn `order` around, does the loss change? Make what `dense` gives ten times as large, what becomes of the loss?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `checkpoint_not_loaded` | the prefix of the names doesn't match, so not one weight was loaded, and all are random |
| `segments_all_zero` | the segments never reach the encoder, they are all 0 |
| `mask_and_segments_exchanged` | segments and mask have changed places |
| `padding_in_mean` | the mean is over padding, too |
| `dropout_at_prediction` | dropout works in prediction, too |
| `labels_not_reordered` | sentences were taken by `order`, labels were not |
| `softmax_before_loss` | the loss gets numbers that are softmaxed already, and does it again |

Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch06a_sentences"
from drill import patient, suspect, repaired

# %% check="drill_ch06a_sentences"
check("drill_ch06a_sentences", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 6a.12 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）的 `BertTextClassifier` 就是骨干加一个分类的头，读的是 [CLS]，只是多走一步 BERT 的池化层（5b 的 `Pooler`：全连接加 tanh）。把那一步放进你的 `dense`，logits 应当一样。（没装 KerasHub 就跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 6a.12 The same thing in KerasHub

KerasHub (`keras_nlp` in old code) has `BertTextClassifier`, a backbone with the head of a classifier. It reads [CLS], with one more step: BERT's pooler (5b's `Pooler`, a dense layer and tanh). Put that step into your `dense`, and the logits should agree. (Without KerasHub the cell is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
if ready("classifier_head"):
    try:
        from keras_hub.models import BertBackbone as HubBackbone
        from keras_hub.models import BertTextClassifier
    except ImportError:
        HubBackbone = None
        say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
    if HubBackbone is not None:
        keras.utils.set_random_seed(6)
        hub = HubBackbone(31, 2, 3, 12, 24, max_sequence_length=9)
        theirs = BertTextClassifier(hub, num_classes=3, preprocessor=None)
        rng = np.random.default_rng(6)
        for weight in theirs.weights:
            weight.assign(0.4 * rng.normal(size=weight.shape))  # so that logits are of some size
        hub_mask = np.arange(9) < np.array([[9], [6]])
        hub_inputs = {
            "token_ids": rng.integers(0, 31, (2, 9)).astype("int32"),
            "segment_ids": rng.integers(0, 2, (2, 9)).astype("int32"),
            "padding_mask": hub_mask.astype("int32"),
        }
        their_logits = np.asarray(theirs(hub_inputs))
        states = hub(hub_inputs)["sequence_output"]

        def pooler_and_dense(x):
            return theirs.output_dense(hub.pooled_dense(x))

        def no_dropout(x):
            return x

        our_logits = classifier_head(states, hub_mask, "cls", no_dropout, pooler_and_dense)
        difference = np.abs(np.asarray(our_logits) - their_logits).max()
        say(
            f"logits 最大 {np.abs(their_logits).max():.1f}",
            f"logits up to {np.abs(their_logits).max():.1f}",
        )
        print(
            f"keras_hub BertTextClassifier {difference:.1e}  {'OK' if difference < 1e-5 else '!!'}"
        )

# %% [markdown] lang="zh"
r"""
## 6a.13 常见误解

先逐句判断，再看数字。

1. 微调只训练最后几层。
2. 没有微调过的 BERT，[CLS] 就是一个好的句子向量。
3. 轮数越多越好。
4. 跑一次，高了半个百分点，就是更好。
"""

# %% [markdown] lang="en"
r"""
## 6a.13 Myth box

Judge each sentence first, then look at the numbers.

1. Fine-tuning trains the last layers only.
2. [CLS] of a BERT that nobody has fine-tuned is a good sentence vector.
3. More epochs are better.
4. One run that is half a point higher is better.
"""

# %% tags=["experiment"]
if distance:
    shares = {part: round(float(share), 3) for part, share in distance[1.0].items()}
    say(
        f"1 decay = 1 时移动的相对距离：{shares}",
        f"1 relative distance moved with decay = 1: {shares}",
    )
if minilm_figures:
    say(
        f"2 冻住的 MiniLM：平均 {minilm_figures['mean']:.3f}，[CLS] {minilm_figures['cls']:.3f}",
        f"2 frozen MiniLM: mean {minilm_figures['mean']:.3f}, [CLS] {minilm_figures['cls']:.3f}",
    )
if pretrained and ready("classifier_head"):
    backbone.set_weights(pretrained)
    try:
        from sklearn.linear_model import LogisticRegression

        def take_as_it_is(x):
            return x

        frozen = {}
        for pooling in ("mean", "cls"):
            pooled = []
            for arrays in (few, test):
                states = backbone(arrays)["sequence_output"]
                ways = pooling, take_as_it_is, take_as_it_is
                pooled.append(np.asarray(classifier_head(states, arrays["padding_mask"], *ways)))
            regression = LogisticRegression(C=1.0, max_iter=2000).fit(pooled[0], labels[:LABELS])
            frozen[pooling] = regression.score(pooled[1], test_labels)
        say(
            f"2 冻住的小骨干：平均 {frozen['mean']:.3f}，[CLS] {frozen['cls']:.3f}",
            f"2 the frozen small backbone: mean {frozen['mean']:.3f}, [CLS] {frozen['cls']:.3f}",
        )
    except ImportError:
        pass
for name, shares in by_epoch.items():
    print("3", text(*name), *(f"{share:.3f}" for share in shares))
if splits:
    error = np.sqrt(0.7 * 0.3 / len(test_rows))
    say(
        f"4 {len(test_rows)} 条测试，准确率 0.7 上下的标准误差：{error:.3f}",
        f"4 standard error of an accuracy of about 0.7 on {len(test_rows)} sentences: {error:.3f}",
    )
if seed_sweep:
    say(
        f"4 十个种子：最低 {test_shares.min():.3f}，最高 {test_shares.max():.3f}",
        f"4 ten seeds: lowest {test_shares.min():.3f}, highest {test_shares.max():.3f}",
    )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **错。** 除非冻住，每一部分都在动，嵌入也动。真想只训练最后几层，得自己动手（4a 的 `freeze_backbone`，或者很小的 `decay`）。
2. **不能指望。** 猜字的时候，[CLS] 那里没有字要猜，没有哪个损失要求它概括整句；“下一句预测”读的倒是 [CLS]，可问的是两段接不接得上，也不是概括。哪一个好，看上面的数：MiniLM 练句子向量时用的是平均，读平均才是读它练过的东西。
3. **不一定。** 训练的损失可以一直降；别的句子上的准确率升上几轮，就可能停下，甚至回落：标签少，几轮就背下来了。哪一轮停，事先说不准：上面的数，到最后一轮还在升的也可能有。所以轮数要看**验证集**定，不能看测试集，更不能事后挑。
4. **说明不了什么。** 一千条测试的标准误差就有一个多百分点，种子的起伏还在其外。要报平均和标准差，比较时用同样的种子、同样的测试集。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong.** Unless frozen, every part moves, and so do the embeddings. To train the last layers only, you have to see to it yourself (`freeze_backbone` of 4a, or a very small `decay`).
2. **Don't count on it.** While BERT guesses words, [CLS] has no answer to give, and no loss asks it to sum up the sentence; next sentence prediction does read [CLS], but what it asks is whether two texts follow each other, which is no summary either. Which one is better is in the figures above: when MiniLM learnt sentence vectors, it was by the mean, so the mean is where its learning is.
3. **Not always.** The training loss may fall on and on; accuracy on other sentences rises for some epochs and may then come to a halt or fall back, since a few labels are soon known by heart. Nobody can tell beforehand when: among the numbers above, some may still be rising at the last epoch. So choose the number of epochs on the **dev** part, not on the test, and never afterwards.
4. **It shows nothing.** With a thousand test sentences the standard error alone is more than a point, and the spread over seeds comes on top. Report means and standard deviations, and compare with the same seeds on the same test.
"""

# %% [markdown] lang="zh" exercise="written_ch06a_sentences"
r"""
## 6a.14 简答题

一位同事在 400 条评论上微调了一个 BERT。他换了十个种子，又试了三种轮数，在测试集上挑出最好的一次，报告说：“准确率 0.79，比 TF-IDF 的 0.77 高两个百分点，预训练果然有用。”

用 150 字左右回答：这个结论站得住吗？引用本章的两个数字（至少一个出自你**自己运行**的单元格），说明两个百分点算不算多；再说说他应当怎样重做：跟什么比，用什么挑，报什么数；什么样的结果会让你相信他。

这道题由老师评阅，不计入 38 分。好的回答里有两个数字（各说明什么）、一份公平的比较（种子、挑选、对照）和一条事先说好的判断标准。
"""

# %% [markdown] lang="en" exercise="written_ch06a_sentences"
r"""
## 6a.14 Written question

A colleague has fine-tuned a BERT on 400 reviews. He tried ten seeds and three numbers of epochs, picked the best run on the test set, and reports: "Accuracy 0.79, two points above TF-IDF with 0.77: so pretraining does help."

Answer in about 100 words: does the conclusion stand? Quote two numbers of this notebook (at least one from a cell that **you ran yourself**) to say whether two points are much; then say how he ought to do it again: compared with what, chosen by what, reporting what; and which result would make you believe him.

Your teacher reads this one; it is not part of the 38 points. A good answer has two numbers (and what each of them shows), a fair comparison (seeds, selection, control) and one criterion, fixed beforehand.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 看出在测试集上挑了三十次里最好的一次，数字虚高；引用两个数字（如 6a.3 各轮的起伏，6a.10 种子的标准差，1000 条测试的标准误差约 1.3 个百分点）说明两个百分点在起伏之内。
2. 重做的办法公平：用验证集挑轮数，报几个种子的平均和标准差；而且对照里有“同一个模型从头开始”，只跟 TF-IDF 比，说明不了是不是预训练的功劳。
3. 事先说清哪种结果会让人信服（例如每个种子都高，或者平均的差大于两倍标准误差）。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Sees that the best of thirty runs was picked on the test set, which makes the figure too good; quotes two numbers (such as the ups and downs by epoch in 6a.3, the standard deviation over seeds in 6a.10, a standard error of about 1.3 points with 1000 test sentences) to show that two points are within the noise.
2. The new comparison is fair: epochs chosen on the dev part, mean and standard deviation over some seeds; and among the controls is the same model from scratch, since TF-IDF alone can't show that it was pretraining that helped.
3. Says beforehand which result would convince (such as a lead with every seed, or a mean lead of more than two standard errors).
"""

# %% [markdown] lang="zh"
r"""
## 6a.15 小结：半页带走

**一个骨干，三处要变。** 怎么拼，从哪里读，怎么算损失：

| 任务 | 怎么拼 | 从哪里读 | 损失 |
|---|---|---|---|
| 分类 | 一段 | [CLS] 或真词元的平均 | 类别之间 |
| 成对 | 两段一行，片段 0 和 1 | [CLS] | 类别之间 |
| 关系 | 一段，名字前后加记号 | 两个前记号 | 类别之间 |
| 选择题 | 每个答案一行 | 每行一个分数 | 答案之间 |
| 口令 | 一段 | [CLS]，和每个词元 | 两个损失相加，−1 不判 |

**学习率。** 头最快，往下每层乘一次：$\eta_l = \eta \cdot d^{\,L-l}$（块从 0 数起），嵌入 $\eta \cdot d^{\,L+1}$。

**四条规矩。** 先立一条只数词的基线；从头开始的同一个模型也要跑；轮数看验证集；报几个种子的平均和标准差。
"""

# %% [markdown] lang="en"
r"""
## 6a.15 Half a page to take with you

**One backbone, three things that change.** How the input is packed, where the answer is read, how the loss is taken:

| Task | Packed as | Read at | Loss |
|---|---|---|---|
| classification | one text | [CLS], or the mean of real tokens | over classes |
| pairs | two texts in a row, segments 0 and 1 | [CLS] | over classes |
| relations | one text, marks around the names | the first mark of each name | over classes |
| choices | a row for each answer | one score for each row | over answers |
| commands | one text | [CLS], and every token | the sum of two, −1 not judged |

**Learning rates.** The head is fastest, and every layer further down has one more factor: $\eta_l = \eta \cdot d^{\,L-l}$ (blocks from 0), and $\eta \cdot d^{\,L+1}$ for the embeddings.

**Four rules.** Set a baseline that only counts words; run the same model from scratch, too; choose epochs on dev; report mean and standard deviation over some seeds.
"""

# %% [markdown] lang="zh"
r"""
## 6a.16 接下来

这一章的答案都是给整句的一个类；下一章的答案在句子**里面**：哪几个词是人名，哪一段是问题的答案，代词指的是谁。

- **6b** 从词元到片段：标签怎样对齐，怎样从分数里读出合法的一串，长文章怎样开窗。
- **6c** 让 BERT 动笔，再让它核对事实。
- **7c** 专门找它的毛病：准确率背后，它看的也许是别的线索。

想多跑几种任务：课程库的 `bert-keras finetune` 一条命令就是一次微调，连种子和基线都带上（`configs/finetune_sentiment_zh.toml`）。想读原文：[BERT](https://arxiv.org/abs/1810.04805) 第 4 节和图 4；关系的记号见 [Matching the Blanks](https://arxiv.org/abs/1906.03158)；接着预训练见 [Don't Stop Pretraining](https://arxiv.org/abs/2004.10964)；种子的起伏见 [Dodge 等 2020](https://arxiv.org/abs/2002.06305)。
"""

# %% [markdown] lang="en"
r"""
## 6a.16 Where next

All answers of this notebook are one class for a whole sentence; those of the next one lie **inside** it: which words are a name, which stretch answers the question, who the pronoun is.

- **6b** goes from tokens to spans: how labels are aligned, how a legal sequence is read off scores, how windows are laid over long texts.
- **6c** makes BERT write, and check facts.
- **7c** looks for its failings: behind a good accuracy it may be looking at other cues.

To try more tasks: one command of the library, `bert-keras finetune`, is one fine-tuning, seeds and baselines included (`configs/finetune_sentiment_zh.toml`). For the sources: section 4 and figure 4 of [BERT](https://arxiv.org/abs/1810.04805); marks for relations in [Matching the Blanks](https://arxiv.org/abs/1906.03158); pretraining further in [Don't Stop Pretraining](https://arxiv.org/abs/2004.10964); the spread over seeds in [Dodge et al. 2020](https://arxiv.org/abs/2002.06305).
"""
