"""Opens classifier checkpoints, with precise errors."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from abalo.corpora.foreign import GIT_LFS
from abalo.corpora.unpacking import first_bytes
from abalo.errors import AbaloError
from abalo.files import expand_home
from abalo.hub import cached_if_unreachable
from abalo.models.networks.silence import no_conversion_requests, quiet
from abalo.models.options import ModelOptions
from abalo.models.user_code import will_run
from perturbations.suggestions import did_you_mean_path

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedTokenizerBase

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
_PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_VOCABULARIES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "tokenizer_config.json")


@dataclass(frozen=True, slots=True)
class Head:
    """The last layer of a network, by training task.

    ``suffix`` ends its class names in transformers. ``outputs`` names its logits: one with a column per label, or
    several of one column.
    """

    suffix: str
    trained_for: str
    labels_of: str
    by_word: bool
    outputs: tuple[str, ...] = ("logits",)

    @property
    def kind(self) -> str:
        """The kind of checkpoint, such as ``token-classification``."""
        return self.trained_for.replace(" ", "-")


TOKENS = Head("ForTokenClassification", "token classification", "labels of tokens", by_word=True)
TEXTS = Head("ForSequenceClassification", "sequence classification", "labels of texts", by_word=False)
ANSWERS = Head(
    "ForQuestionAnswering",
    "question answering",
    "answers to questions",
    by_word=False,
    outputs=("start_logits", "end_logits"),
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A network in evaluation mode on the CPU, and its fast tokenizer.

    ``space_before_words`` is "added" for a space that the saved tokenizer lacked, "none" if words are glued.
    """

    network: Any
    tokenizer: PreTrainedTokenizerBase
    space_before_words: Literal["added", "none"] | None


def open_checkpoint(name: str, options: ModelOptions, head: Head = TOKENS) -> Checkpoint:
    """Opens a folder or hub id with this ``head``."""
    folder = expand_home(name)
    if folder.is_dir():
        _check_kind(folder)
        _check_weights(folder, options)
        _check_texts(folder)
        _note_code(folder, options)
        name = str(folder)
    elif (cached := cached_if_unreachable(name)) is not None:
        name = cached
    with quiet(), no_conversion_requests():
        config = _config(name, options)
        found = Checkpoint(_network(name, config, options, head), *_tokenizer(name, config, options, head))
    _check_vocabulary(name, found)
    return found


def open_skeleton(folder: Path, options: ModelOptions, head: Head = TOKENS) -> Checkpoint:
    """Opens a folder without weights: only shapes."""
    _check_kind(folder)
    _check_texts(folder)
    _note_code(folder, options)
    name = str(folder)
    with quiet():
        config = _config(name, options)
        found = Checkpoint(_skeleton(name, config, options, head), *_tokenizer(name, config, options, head))
    _check_vocabulary(name, found)
    return found


# The next three raise `AbaloError` for problems that transformers reports less clearly, or, a missing vocabulary, not
# at all.


def _check_kind(folder: Path) -> None:
    if (folder / "meta.json").is_file() and (folder / "config.cfg").is_file():
        raise AbaloError(f"model {folder}: is a spaCy pipeline; write spacy:{folder}")
    if (folder / "adapter_config.json").is_file() and not _has(folder, WEIGHTS):
        raise AbaloError(
            f"model {folder}: is a PEFT adapter without its base model; merge them (merge_and_unload) and save"
        )
    if not (folder / "config.json").is_file():
        raise AbaloError(
            f"model {folder}: no config.json in {folder}{_nearby(folder)}; expected a folder that save_pretrained wrote"
        )


def _check_texts(folder: Path) -> None:
    for file in folder.glob("*"):
        refuse_pointer(str(folder), file)
    if not _has(folder, _VOCABULARIES):
        raise AbaloError(
            f"model {folder}: no tokenizer in {folder} (no tokenizer.json and no vocabulary); save it beside the model "
            "with tokenizer.save_pretrained"
        )


def refuse_pointer(name: str, file: Path) -> None:
    """Raises `AbaloError` for a Git LFS pointer."""
    if file.is_file() and first_bytes(file, len(GIT_LFS)) == GIT_LFS:
        raise AbaloError(f"model {name}: {file.name} is a pointer of Git LFS, not the file; run git lfs pull")


def has_weights(folder: Path) -> bool:
    """True for PyTorch weights, including pickles."""
    return _has(folder, (*WEIGHTS, *_PICKLED))


def _check_weights(folder: Path, options: ModelOptions) -> None:
    if _has(folder, WEIGHTS):
        return
    if not _has(folder, _PICKLED):
        raise AbaloError(f"model {folder}: no {WEIGHTS[0]} in {folder}{_nearby(folder)}; save_pretrained writes one")
    if not options.allow_pickle:
        raise AbaloError(
            f"model {folder}: its weights are pickled ({_PICKLED[0]}), and loading a pickle can run any code. Save it "
            f"again (save_pretrained writes {WEIGHTS[0]}), or, if you trust its source, pass --abalo-allow-pickle"
        )


def _note_code(folder: Path, options: ModelOptions) -> None:
    patterns = ["*.py"] if options.trust_remote_code else []
    if options.allow_pickle and not _has(folder, WEIGHTS):
        patterns += _PICKLED
    will_run(str(folder), sorted(path for pattern in patterns for path in folder.glob(pattern)))


def _has(folder: Path, patterns: Iterable[str]) -> bool:
    return any(any(folder.glob(pattern)) for pattern in patterns)


def _nearby(folder: Path) -> str:
    inside = sorted((path.parent.name for path in folder.glob("*/config.json")), key=lambda name: (len(name), name))
    return f"; did you mean {folder / inside[-1]}?" if inside else ""


# Parts of the checkpoint ---------------------------------------------------------------------------------------------


def _config(name: str, options: ModelOptions) -> Any:
    from transformers import AutoConfig

    with _explain_errors(name, "config", options):
        return AutoConfig.from_pretrained(name, trust_remote_code=options.trust_remote_code)


def _network(name: str, config: Any, options: ModelOptions, head: Head) -> Any:
    import torch
    import transformers

    dtypes = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
    with _explain_errors(name, "weights", options, head):
        network, loaded = getattr(transformers, f"AutoModel{head.suffix}").from_pretrained(
            name,
            config=config,
            dtype=dtypes[options.dtype],
            use_safetensors=None if options.allow_pickle else True,
            trust_remote_code=options.trust_remote_code,
            ignore_mismatched_sizes=True,  # weights of another shape are refused below, with the ones that are missing
            output_loading_info=True,
        )
    missing, mismatched = set(loaded["missing_keys"]), [(key, *shapes) for key, *shapes in loaded["mismatched_keys"]]
    absent = sorted(missing.union(key for key, *_ in mismatched))
    outputs = {int(saved[0]) for _, saved, wanted in mismatched if wanted[0] == config.num_labels}
    if len(outputs) == 1 and not missing and all(saved[1:] == wanted[1:] for _, saved, wanted in mismatched):
        raise AbaloError(_count_mismatch(name, outputs.pop(), config.num_labels))
    if absent:
        raise AbaloError(_not_a_classifier(name, config, absent, head))
    _check_head(name, _saved_architectures(config), type(network).__name__, head)
    return network.eval()


def _skeleton(name: str, config: Any, options: ModelOptions, head: Head) -> Any:
    import torch
    import transformers

    with _explain_errors(name, "config", options, head), torch.device("meta"):
        network = getattr(transformers, f"AutoModel{head.suffix}").from_config(
            config, trust_remote_code=options.trust_remote_code
        )
    _check_head(name, _saved_architectures(config), type(network).__name__, head)
    return network.eval()


def _count_mismatch(name: str, outputs: int, names: int) -> str:
    return (
        f"model {name}: its network has {outputs} outputs, but id2label in its config.json names {names} labels; name "
        f"all {outputs} there, in the order of training"
    )


def _not_a_classifier(name: str, config: PretrainedConfig, absent: list[str], head: Head) -> str:
    shown = ", ".join(absent[:3]) + (f" and {len(absent) - 3} more" if len(absent) > 3 else "")
    saved_as = ", ".join(_saved_architectures(config) or ["an unnamed architecture"])
    return (
        f"model {name}: not a {head.kind} checkpoint: it was saved as {saved_as} and lacks {shown}, "
        f"which would be random. Fine-tune it for {head.trained_for} and save that"
    )


def _saved_architectures(config: PretrainedConfig) -> list[str]:
    found = config.architectures or []
    return [found] if isinstance(found, str) else [str(each) for each in found]


def _check_head(name: str, saved_as: Sequence[str], network: str, head: Head) -> None:
    if saved_as and not any(each == network or each.endswith(head.suffix) for each in saved_as):
        raise AbaloError(
            f"model {name}: not a {head.kind} checkpoint: it was saved as {', '.join(saved_as)}, whose head was "
            f"trained for something else than {head.labels_of}. Fine-tune it for {head.trained_for}; if it is one "
            f"after all, name {network} under architectures in its config.json"
        )


def _check_vocabulary(name: str, checkpoint: Checkpoint) -> None:
    try:
        embeddings = getattr(checkpoint.network.get_input_embeddings(), "num_embeddings", None)
    except NotImplementedError:  # a network without one table of them, such as CANINE
        return
    pieces = max(checkpoint.tokenizer.get_vocab().values()) + 1
    if embeddings is not None and pieces > embeddings:
        raise AbaloError(
            f"model {name}: its tokenizer has {pieces:,} pieces, its network embeddings of {embeddings:,}: they do not "
            "belong together, or tokens were added after training. Save the tokenizer that the network was trained "
            f"with; for added tokens, resize_token_embeddings({pieces}) and train them"
        )


def _tokenizer(
    name: str, config: PretrainedConfig, options: ModelOptions, head: Head
) -> tuple[Any, Literal["added", "none"] | None]:
    from transformers import AutoTokenizer

    arguments: dict[str, Any] = {"config": config, "trust_remote_code": options.trust_remote_code}
    with _explain_errors(name, "tokenizer", options):
        tokenizer = AutoTokenizer.from_pretrained(name, **arguments)
        wants_space = head.by_word and _wants_prefix_space(tokenizer)
        if wants_space:
            tokenizer = AutoTokenizer.from_pretrained(name, add_prefix_space=True, **arguments)
    if not tokenizer.is_fast:
        raise AbaloError(
            f"model {name}: {type(tokenizer).__name__} is a slow tokenizer, which cannot say which word a piece is "
            "of (word_ids); save the model with a fast one (tokenizer.json), or wrap it as module:factory"
        )
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise AbaloError(f"model {name}: its tokenizer has no vocabulary; save it again with tokenizer.save_pretrained")
    tokenizer.truncation_side = "right"  # windows are counted from the left
    return tokenizer, "added" if wants_space else "none" if head.by_word and _glues(tokenizer) else None


def _wants_prefix_space(tokenizer: PreTrainedTokenizerBase) -> bool:
    """RoBERTa needs ``add_prefix_space=True`` with ``is_split_into_words=True``."""
    takes_it = "add_prefix_space" in inspect.signature(type(tokenizer).__init__).parameters
    return takes_it and getattr(tokenizer, "add_prefix_space", None) is False


def _glues(tokenizer: Any) -> bool:
    pieces = tokenizer(["a", "a"], is_split_into_words=True, add_special_tokens=False, truncation=True, max_length=8)[
        "input_ids"
    ]
    known = bool(pieces) and tokenizer.unk_token_id not in pieces
    return known and " " not in tokenizer.decode(pieces).strip()


@contextmanager
def _explain_errors(name: str, part: str, options: ModelOptions, head: Head = TOKENS) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise AbaloError(f"model {name}: {_explanation(name, part, error, options, head)}") from error


def _explanation(name: str, part: str, error: Exception, options: ModelOptions, head: Head) -> str:
    text = str(error).strip()
    reason = f"{type(error).__name__}: {text.partition(chr(10))[0]}"
    if "trust_remote_code" in text and not options.trust_remote_code:
        return "comes with its own Python code; read it and, if you trust it, pass --abalo-trust-remote-code"
    if "Unrecognized configuration class" in text:
        kind = head.trained_for.replace("classification", "classifier")
        return f"transformers has no {kind} for its architecture; wrap it as module:factory"
    if Path(name).is_dir():
        return f"its {part} cannot be loaded: {reason.rstrip(' .:')}; fetch it, or save it with save_pretrained"
    if "safetensors" in text and not options.allow_pickle:
        return (
            f"the hub has no {WEIGHTS[0]} of it; if it has pickled weights, which can run any code when loaded, and "
            "you trust their source, pass --abalo-allow-pickle"
        )
    hint = did_you_mean_path(expand_home(name))
    return f"neither a folder here nor a model that the Hugging Face hub gives us: {reason}{hint}"
