# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(switchyard_views PRIVATE
    "${CMAKE_CURRENT_LIST_DIR}/main_window.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/main_window.h"
    "${CMAKE_CURRENT_LIST_DIR}/pages/contexts/context_detail.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/pages/contexts/context_detail.h"
    "${CMAKE_CURRENT_LIST_DIR}/pages/contexts/context_table.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/pages/contexts/context_table.h"
    "${CMAKE_CURRENT_LIST_DIR}/pages/contexts_page.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/pages/contexts_page.h"
    "${CMAKE_CURRENT_LIST_DIR}/pages/events_page.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/pages/events_page.h"
    "${CMAKE_CURRENT_LIST_DIR}/pages/fleet_page.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/pages/fleet_page.h"
    "${CMAKE_CURRENT_LIST_DIR}/pages/permissions/rights_table.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/pages/permissions/rights_table.h"
    "${CMAKE_CURRENT_LIST_DIR}/pages/permissions_page.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/pages/permissions_page.h"
    "${CMAKE_CURRENT_LIST_DIR}/requests.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/secrets.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/words_codes.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/words_permissions.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/words_rules.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/words_sentences.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/words_values.cpp"
)
target_link_libraries(switchyard_views PUBLIC switchyard_resources)
