# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(switchyard_views PRIVATE
    "${CMAKE_CURRENT_LIST_DIR}/colors.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/flat_style.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/flat_style.h"
    "${CMAKE_CURRENT_LIST_DIR}/icons.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/marks.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/metrics.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/shapes.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/theme.cpp"
)
