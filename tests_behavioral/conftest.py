from abalo.pytest_plugin.fixtures import *  # noqa: F403
