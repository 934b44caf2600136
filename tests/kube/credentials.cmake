# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
switchyard_test(tst_credentials SOURCES tst_credentials.cpp LINK switchyard_test_server)
switchyard_test(tst_exec_plugin SOURCES tst_exec_plugin.cpp LINK switchyard_test_server)
switchyard_test(tst_exec_trust SOURCES tst_exec_trust.cpp LINK switchyard_test_server)
switchyard_test(tst_login_shell SOURCES tst_login_shell.cpp LINK switchyard_test_server)
