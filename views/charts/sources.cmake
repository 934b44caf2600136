# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(switchyard_views PRIVATE
    "${CMAKE_CURRENT_LIST_DIR}/chart_theme.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/decimate.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/renew_chart.cpp" "${CMAKE_CURRENT_LIST_DIR}/renew_chart.h"
    "${CMAKE_CURRENT_LIST_DIR}/who_led.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/who_led_chart.cpp" "${CMAKE_CURRENT_LIST_DIR}/who_led_chart.h"
    "${CMAKE_CURRENT_LIST_DIR}/who_led_painter.cpp"
)
