"""The only shard of a run, merged."""

from abalo.config.thresholds import load
from abalo.reporting.runs.shards import merge_shards, read_shards


def test_the_only_shard_is_the_whole_run(project):
    project.write("thresholds.toml", "[gate]\nlanguage = 'pt'\nresamples = 200\n[[ner.accents]]\nmax_f1_drop = 0.5\n")
    assert project.run("--abalo-shard", "1/1").ret == 0
    merged = merge_shards(read_shards([project.path / "reports"]), load(project.path / "thresholds.toml"))
    assert (merged.document.complete, merged.document.verdict, merged.gaps) == (True, "pass", [])
    assert [each.id for each in merged.document.results if each.verdict] == ["ner/accents"]
