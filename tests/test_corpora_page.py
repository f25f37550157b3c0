"""docs/reference/corpora.md says what each task does with each form of files."""

from abalo.core.protocols.task import tasks
from docs.making.corpora import FORMS, PAGE, tried
from tests.rows import every


@every("form", FORMS, ids=[form.name for form in FORMS])
def test_a_form_is_read_by_its_task_and_refused_by_others_with_a_way_out(form):
    found = tried(form)
    assert found.recognised == form.task
    for task, message in found.refusals.items():
        if task == form.task:
            assert message is None
        elif form.task is not None and message is not None:
            assert f"--abalo-task {form.task}" in message
        elif form.task is None:
            assert message is not None
            assert "expected" in message or "unpack it" in message


def test_every_task_has_a_form_and_a_column():
    head = next(line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| form "))
    assert [cell.strip() for cell in head.strip("|").split("|")] == ["form", *tasks()]
    assert {form.task for form in FORMS} - {None} == {*tasks()} - {"parsing"}  # whose form is that of pos, with heads
