"""How the logs of attacks are called."""

from abalo.attacks.log import log_name


def test_a_log_is_named_by_the_beginning_of_the_id_and_a_digest():
    long = "ner/context_attack[synonyms-" + "x" * 400
    names = [log_name(f"{long}{end}]") for end in "ab"]
    assert len({*names}) == 2
    for name in names:
        assert name.startswith("context_attack-synonyms-xxx")
        assert name.endswith(".jsonl")
        assert len(name) <= 60


def test_a_log_of_another_task_has_another_name():
    assert log_name("ner/entity_attack") != log_name("mine/entity_attack")
