# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# One INTERFACE target carries language level, warnings and Qt defines for every target of the project.
add_library(switchyard_options INTERFACE)
target_compile_features(switchyard_options INTERFACE cxx_std_20)
target_compile_options(switchyard_options INTERFACE
    -Wall -Wextra -Wpedantic -Wcast-qual -Wcast-align -Woverloaded-virtual -Wold-style-cast -Wnon-virtual-dtor -Wshadow)
if(SWITCHYARD_WERROR)
    target_compile_options(switchyard_options INTERFACE -Werror)
endif()
target_compile_definitions(switchyard_options INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING QT_NO_KEYWORDS
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_NO_CONTEXTLESS_CONNECT QT_USE_QSTRINGBUILDER QT_STRICT_ITERATORS QT_NO_FOREACH)
target_include_directories(switchyard_options INTERFACE "${PROJECT_SOURCE_DIR}")
if(SWITCHYARD_SANITIZE)
    target_compile_options(switchyard_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(switchyard_options INTERFACE -fsanitize=address,undefined)
endif()

# switchyard_library(NAME SOURCES ... LINK ...): a static library of one layer
function(switchyard_library name)
    cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${arg_SOURCES})
    target_link_libraries(${name} PUBLIC switchyard_options ${arg_LINK})
endfunction()
