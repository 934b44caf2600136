# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
# A whole connection on a server with a memory, and one way to play every fault on it.
find_package(ZLIB REQUIRED)
add_library(switchyard_test_faults STATIC fault_scene.cpp fault_scene.h made_api.cpp made_api.h made_cluster.cpp made_cluster.h)
target_link_libraries(switchyard_test_faults PUBLIC switchyard_test_server switchyard_clusters Qt6::Test PRIVATE ZLIB::ZLIB)

switchyard_test(tst_faults_network SOURCES tst_faults_network.cpp LINK switchyard_test_faults)
switchyard_test(tst_faults_stream SOURCES tst_faults_stream.cpp LINK switchyard_test_faults)
switchyard_test(tst_faults_access SOURCES tst_faults_access.cpp LINK switchyard_test_faults)
