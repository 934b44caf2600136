# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(switchyard_views PRIVATE
    "${CMAKE_CURRENT_LIST_DIR}/decimate.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/drawn_spans.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/health_strips.cpp" "${CMAKE_CURRENT_LIST_DIR}/health_strips.h"
    "${CMAKE_CURRENT_LIST_DIR}/lag_chart.cpp" "${CMAKE_CURRENT_LIST_DIR}/lag_chart.h"
    "${CMAKE_CURRENT_LIST_DIR}/picture.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/picture_panel.cpp" "${CMAKE_CURRENT_LIST_DIR}/picture_panel.h"
    "${CMAKE_CURRENT_LIST_DIR}/renew_chart.cpp" "${CMAKE_CURRENT_LIST_DIR}/renew_chart.h"
    "${CMAKE_CURRENT_LIST_DIR}/renew_stats.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/scale.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/series_plot.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/time_canvas.cpp" "${CMAKE_CURRENT_LIST_DIR}/time_canvas.h"
    "${CMAKE_CURRENT_LIST_DIR}/time_range.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/timeline_chart.cpp" "${CMAKE_CURRENT_LIST_DIR}/timeline_chart.h"
    "${CMAKE_CURRENT_LIST_DIR}/timeline_marks.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/timeline_painter.cpp"
)
