pytest_plugins = ["abalo.pytest_plugin"]
