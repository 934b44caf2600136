# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
# Where requests go, how often, through what, and as whom.
switchyard_test(tst_retry_plan SOURCES tst_retry_plan.cpp LINK switchyard_kube)
switchyard_test(tst_server_list SOURCES tst_server_list.cpp LINK switchyard_test_server)
switchyard_test(tst_proxy SOURCES tst_proxy.cpp fake_proxy.cpp fake_proxy.h LINK switchyard_test_server)
switchyard_test(tst_client_identity SOURCES tst_client_identity.cpp LINK switchyard_test_server)
