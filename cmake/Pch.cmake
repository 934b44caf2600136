# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Faster builds: ccache and lld when they are there, and precompiled headers (SWITCHYARD_PCH). No source depends on them: each
# includes what it uses, and the build without them is tested by compiling with -DSWITCHYARD_PCH=OFF.
find_program(SWITCHYARD_CCACHE ccache)
if(SWITCHYARD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${SWITCHYARD_CCACHE}")
endif()
# For the hundreds of test programs only: what is shipped is linked by the system's own linker
find_program(SWITCHYARD_LLD ld.lld)
if(SWITCHYARD_LLD AND SWITCHYARD_TESTS)
    add_link_options(-fuse-ld=lld)
endif()

set(switchyard_pch_std <algorithm> <chrono> <functional> <map> <memory> <optional> <set> <string> <string_view> <variant> <vector> <tl/expected.hpp>)
set(switchyard_pch_core ${switchyard_pch_std} <QtCore/QByteArray> <QtCore/QObject> <QtCore/QString> <QtCore/QStringList> <QtCore/QTimer>
    <QtCore/QUrl> <QtCore/QVariant> <QtCore/QJsonObject> <QtCore/QJsonDocument>)
set(switchyard_pch_widgets ${switchyard_pch_core} <QtWidgets/QWidget> <QtWidgets/QLabel> <QtWidgets/QBoxLayout> <QtWidgets/QTableView>
    <QtWidgets/QPushButton> <QtWidgets/QDialog> <QtWidgets/QMainWindow> <QtGui/QPainter> <QtGui/QIcon>)

# switchyard_pch(TARGET KIND): TARGET uses the precompiled headers of KIND (std, core, widgets), which are compiled once for all
function(switchyard_pch target kind)
    if(NOT SWITCHYARD_PCH)
        return()
    endif()
    if(NOT TARGET switchyard_pch_${kind})
        file(WRITE "${CMAKE_BINARY_DIR}/pch_${kind}.cpp" "")
        add_library(switchyard_pch_${kind} STATIC "${CMAKE_BINARY_DIR}/pch_${kind}.cpp")
        target_link_libraries(switchyard_pch_${kind} PRIVATE switchyard_options tl::expected)
        if(kind STREQUAL "core")
            target_link_libraries(switchyard_pch_core PRIVATE Qt6::Core)
        elseif(kind STREQUAL "widgets")
            target_link_libraries(switchyard_pch_widgets PRIVATE Qt6::Widgets)
        endif()
        target_precompile_headers(switchyard_pch_${kind} PRIVATE ${switchyard_pch_${kind}})
        set_target_properties(switchyard_pch_${kind} PROPERTIES AUTOMOC OFF AUTORCC OFF)
    endif()
    target_precompile_headers(${target} REUSE_FROM switchyard_pch_${kind})
endfunction()

# Which target uses which: called once, at the end of the top CMakeLists.txt
function(switchyard_use_pch)
    foreach(target switchyard_models)
        switchyard_pch(${target} std)
    endforeach()
    foreach(target switchyard_items switchyard_kube switchyard_clusters switchyard_actions switchyard_archive switchyard_simulator switchyard_headless)
        if(TARGET ${target})
            switchyard_pch(${target} core)
        endif()
    endforeach()
    foreach(target switchyard_views switchyard_desktop)
        if(TARGET ${target})
            switchyard_pch(${target} widgets)
        endif()
    endforeach()
endfunction()
