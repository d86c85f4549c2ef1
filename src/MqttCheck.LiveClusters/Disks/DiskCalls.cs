using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using MqttCheck.Brokers.Processes;

namespace MqttCheck.LiveClusters.Disks;

/// <summary>The calls to Linux that no class of .NET makes.</summary>
internal static unsafe partial class DiskCalls
{
    // EXT4_IOC_SHUTDOWN is _IOR('X', 125, __u32).
    private const nuint Shutdown = 0x8004587D;

    // EXT4_GOING_FLAGS_NOLOGFLUSH: even the journal is not written.
    private const uint WithoutJournal = 2;

    private const int ReadOnlyDirectory = 0x10000 | 0x80000;
    private const int NoSpace = 28;

    /// <summary>Ends a file system at once: nothing more reaches its disk.</summary>
    /// <param name="directory">The place where it is mounted.</param>
    /// <exception cref="BrokerException">The system refuses.</exception>
    public static void CutPower(string directory)
    {
        using var handle = Open(directory, DirectoryFlags);
        var flags = WithoutJournal;
        if (handle.IsInvalid || Control(handle, Shutdown, &flags) != 0)
            throw new BrokerException(
                $"A node's disk: power of {directory} cannot be cut: {Marshal.GetLastPInvokeErrorMessage()}."
            );
    }

    /// <summary>Gives a file more bytes, without writing them.</summary>
    /// <param name="file">The file.</param>
    /// <param name="from">Its size.</param>
    /// <param name="bytes">How many more.</param>
    /// <returns>Whether they fitted.</returns>
    /// <exception cref="BrokerException">The system refuses for another reason than a full disk.</exception>
    public static bool TryGrow(SafeFileHandle file, long from, long bytes)
    {
        if (Allocate(file, 0, from, bytes) == 0)
            return true;
        var error = Marshal.GetLastPInvokeError();
        return error == NoSpace
            ? false
            : throw new BrokerException($"A node's disk cannot be filled: {Marshal.GetPInvokeErrorMessage(error)}.");
    }

    // The numbers of O_DIRECTORY differ between processors.
    private static int DirectoryFlags =>
        RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? 0x4000 | 0x80000 : ReadOnlyDirectory;

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    private static partial int Control(SafeFileHandle file, nuint request, uint* value);

    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    private static partial int Allocate(SafeFileHandle file, int mode, long offset, long length);
}
