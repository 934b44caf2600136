# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(switchyard_views PRIVATE
    "${CMAKE_CURRENT_LIST_DIR}/cluster_page.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster_page.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/action_buttons.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/action_buttons.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/cluster_body.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/cluster_body.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/config_view.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/config_view.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/fit_columns.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/lock_card.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/lock_card.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/log_tables.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/log_tables.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/members_presenter.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/members_view.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/members_view.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/objects_view.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/objects_view.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/parts.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/parts.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/request_card.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/request_card.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/request_steps.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/rescue_banner.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/rescue_banner.h"
    "${CMAKE_CURRENT_LIST_DIR}/cluster/sync_card.cpp" "${CMAKE_CURRENT_LIST_DIR}/cluster/sync_card.h"
)
