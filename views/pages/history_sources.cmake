# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(switchyard_views PRIVATE
    "${CMAKE_CURRENT_LIST_DIR}/history_page.cpp" "${CMAKE_CURRENT_LIST_DIR}/history_page.h"
    "${CMAKE_CURRENT_LIST_DIR}/history/history_pictures.cpp" "${CMAKE_CURRENT_LIST_DIR}/history/history_pictures.h"
    "${CMAKE_CURRENT_LIST_DIR}/history/picture_rows.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/history/timelines_view.cpp" "${CMAKE_CURRENT_LIST_DIR}/history/timelines_view.h"
)
