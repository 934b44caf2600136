# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(switchyard_views PRIVATE
    "${CMAKE_CURRENT_LIST_DIR}/candidates_table.cpp" "${CMAKE_CURRENT_LIST_DIR}/candidates_table.h"
    "${CMAKE_CURRENT_LIST_DIR}/choose_dialog.h"
    "${CMAKE_CURRENT_LIST_DIR}/choose_dialogs.cpp" "${CMAKE_CURRENT_LIST_DIR}/choose_dialogs.h"
    "${CMAKE_CURRENT_LIST_DIR}/command_fold.cpp" "${CMAKE_CURRENT_LIST_DIR}/command_fold.h"
    "${CMAKE_CURRENT_LIST_DIR}/confirm_write_dialog.cpp" "${CMAKE_CURRENT_LIST_DIR}/confirm_write_dialog.h"
    "${CMAKE_CURRENT_LIST_DIR}/exec_consent_dialog.cpp" "${CMAKE_CURRENT_LIST_DIR}/exec_consent_dialog.h"
    "${CMAKE_CURRENT_LIST_DIR}/fold.cpp" "${CMAKE_CURRENT_LIST_DIR}/fold.h"
    "${CMAKE_CURRENT_LIST_DIR}/namespaces_dialog.cpp" "${CMAKE_CURRENT_LIST_DIR}/namespaces_dialog.h"
    "${CMAKE_CURRENT_LIST_DIR}/problem_list.cpp" "${CMAKE_CURRENT_LIST_DIR}/problem_list.h"
    "${CMAKE_CURRENT_LIST_DIR}/switchover_dialog.cpp" "${CMAKE_CURRENT_LIST_DIR}/switchover_dialog.h"
    "${CMAKE_CURRENT_LIST_DIR}/waiting_dialog.cpp" "${CMAKE_CURRENT_LIST_DIR}/waiting_dialog.h"
    "${CMAKE_CURRENT_LIST_DIR}/when_box.cpp" "${CMAKE_CURRENT_LIST_DIR}/when_box.h"
    "${CMAKE_CURRENT_LIST_DIR}/zoned_time.cpp"
)
