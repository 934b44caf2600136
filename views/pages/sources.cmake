# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
include("${CMAKE_CURRENT_LIST_DIR}/cluster_sources.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/history_sources.cmake")
target_sources(switchyard_views PRIVATE
    "${CMAKE_CURRENT_LIST_DIR}/fleet/health_pane.cpp" "${CMAKE_CURRENT_LIST_DIR}/fleet/health_pane.h"
)
