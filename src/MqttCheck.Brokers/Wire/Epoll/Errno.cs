using System.Runtime.InteropServices;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>Error numbers of Linux.</summary>
internal static class Errno
{
    public const int Interrupted = 4,
        TryAgain = 11,
        OutOfMemory = 12,
        AccessDenied = 13,
        TooManyOpenFilesInSystem = 23,
        TooManyOpenFiles = 24,
        BrokenPipe = 32,
        AddressInUse = 98,
        AddressNotAvailable = 99,
        ConnectionAborted = 103,
        ConnectionReset = 104,
        NoBufferSpace = 105,
        TimedOut = 110,
        InProgress = 115;

    /// <summary>The error of the last call.</summary>
    public static int Last => Marshal.GetLastPInvokeError();

    /// <summary>The system's words for an error.</summary>
    public static string Text(int error) => Marshal.GetPInvokeErrorMessage(error);

    /// <summary>Whether this machine lacks descriptors or memory, which may pass.</summary>
    public static bool IsShortage(int error) =>
        error is OutOfMemory or TooManyOpenFilesInSystem or TooManyOpenFiles or NoBufferSpace;

    /// <summary>Why a connection could not be made.</summary>
    public static CloseReason ConnectReason(int error) =>
        error switch
        {
            TimedOut => CloseReason.ConnectTimeout,
            ConnectionReset => CloseReason.Reset,
            AddressNotAvailable or AccessDenied => CloseReason.LocalFailure,
            _ when IsShortage(error) => CloseReason.LocalFailure,
            _ => CloseReason.Refused,
        };
}
