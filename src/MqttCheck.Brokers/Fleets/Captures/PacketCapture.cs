using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Fleets.Captures;

/// <summary>A packet capture of the loopback interface, by dumpcap or tcpdump as a child process.</summary>
internal sealed class PacketCapture(ChildProcess program, string directory) : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(50);

    // A capture with packets is longer than this; the file header alone is shorter in either format.
    private const int SomePacketBytes = 400;

    private readonly ChildProcess _program = program;
    private readonly string _directory = directory;

    /// <summary>The path of the file, which is whole when the capture is stopped, and gone with it.</summary>
    public string FilePath => PathIn(_directory);

    /// <summary>Starts a capture, and returns when it sees packets.</summary>
    /// <param name="broker">The broker whose port is captured; it gets a few connections that say nothing.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>The capture, or null and why there is none: no program, no permission, not on this machine.</returns>
    public static async Task<(PacketCapture? Capture, string Reason)> TryStartAsync(
        IPEndPoint broker,
        CancellationToken cancellation
    )
    {
        if (!OperatingSystem.IsLinux())
            return (null, "packets are captured on Linux only");
        if (!IPAddress.IsLoopback(broker.Address))
            return (null, "the broker is not on this machine");
        var directory = Directory.CreateTempSubdirectory("mqttcheck-capture-").FullName;
        if (Command(broker.Port, PathIn(directory)) is not { } command)
        {
            Directory.Delete(directory, recursive: true);
            return (null, "neither dumpcap nor tcpdump is installed (Debian: apt-get install tcpdump)");
        }
        var capture = new PacketCapture(
            ChildProcess.StartGuarded(command, Directory.CreateDirectory(Path.Combine(directory, "program")).FullName),
            directory
        );
        try
        {
            using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            patience.CancelAfter(s_patience);
            while (!capture.HasPackets)
            {
                if (capture._program.Exited.IsCompleted)
                {
                    var reason = $"{Path.GetFileName(command.FileName)} may not capture: {capture._program.Output}";
                    await capture.DisposeAsync();
                    return (null, reason);
                }
                using (var socket = new Socket(broker.AddressFamily, SocketType.Stream, ProtocolType.Tcp))
                    await socket.ConnectAsync(broker, patience.Token);
                await Task.Delay(s_poll, patience.Token);
            }
            return (capture, "");
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            await capture.DisposeAsync();
            return (null, $"{Path.GetFileName(command.FileName)} sees no packets of the loopback interface");
        }
        catch
        {
            await capture.DisposeAsync();
            throw;
        }
    }

    /// <summary>Ends the capture and reads it.</summary>
    /// <returns>The segments that carry data, in order of time.</returns>
    /// <exception cref="InvalidDataException">The program wrote something else.</exception>
    public async Task<IReadOnlyList<CapturedSegment>> StopAsync()
    {
        // The last packets take a moment to reach the file. The program writes the rest when it is asked to end.
        await Task.Delay(s_poll * 10);
        await _program.StopAsync(s_patience);
        return [.. CaptureReader.Read(await File.ReadAllBytesAsync(FilePath)).OrderBy(segment => segment.Nanoseconds)];
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _program.DisposeAsync();
        if (Directory.Exists(_directory))
            Directory.Delete(_directory, recursive: true);
    }

    private bool HasPackets => File.Exists(FilePath) && new FileInfo(FilePath).Length > SomePacketBytes;

    private static string PathIn(string directory) => Path.Combine(directory, "capture");

    private static BrokerCommand? Command(int port, string file)
    {
        var filter = string.Create(CultureInfo.InvariantCulture, $"tcp port {port}");
        if (CommandSearch.Find("dumpcap") is { } dumpcap)
            return new(dumpcap, ["-q", "-i", "lo", "-B", "32", "-f", filter, "-w", file]);
        // -Z root keeps tcpdump from giving up the right to write into the directory.
        return CommandSearch.Find("tcpdump") is { } tcpdump
            ? new(
                tcpdump,
                [
                    "-i",
                    "lo",
                    "-B",
                    "32768",
                    "--time-stamp-precision=nano",
                    "-U",
                    "-Z",
                    Environment.UserName,
                    "-w",
                    file,
                    filter,
                ]
            )
            : null;
    }
}
