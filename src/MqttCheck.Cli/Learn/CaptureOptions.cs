using System.CommandLine;
using System.Net;
using MqttCheck.App.Runs;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Logs;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Learn;

/// <summary>How captures of packets are read, where they are given in the place of logs.</summary>
internal sealed class CaptureOptions
{
    private const string LogsDirectory = "logs";

    /// <summary><c>--port</c>: where the broker listens.</summary>
    public Option<int[]> Ports { get; } =
        new("--port")
        {
            HelpName = "N",
            Description =
                "Of a capture: a port of the broker; may be given several times. Default: what the connections show.",
            Validators =
            {
                result =>
                {
                    foreach (var token in result.Tokens)
                    {
                        if (!ushort.TryParse(token.Value, out var port) || port == 0)
                            result.AddError($"--port {token.Value}: allowed: 1 .. 65535");
                    }
                },
            },
        };

    /// <summary><c>--address</c>: where the broker listens.</summary>
    public Option<string[]> Addresses { get; } =
        new("--address")
        {
            HelpName = "IP",
            Description =
                "Of a capture: an address of the broker; may be given several times. Default: what the "
                + "connections show.",
            Validators =
            {
                result =>
                {
                    foreach (var token in result.Tokens)
                    {
                        if (!IPAddress.TryParse(token.Value, out _))
                            result.AddError($"--address {token.Value}: allowed: an IP address, such as 192.0.2.7");
                    }
                },
            },
        };

    /// <summary><c>--tls-keys</c>: decrypts.</summary>
    public Option<FileInfo?> TlsKeys { get; } =
        new("--tls-keys")
        {
            HelpName = "FILE",
            Description =
                "Of a capture: the key log of its TLS sessions (SSLKEYLOGFILE). It is decrypted by tshark, which must "
                + "be installed.",
        };

    /// <summary><c>--names</c>: writes names.</summary>
    public Option<bool> Names { get; } =
        new("--names")
        {
            Description =
                "Of a capture: write the names of clients and topics as they are. Without it their hashes are written, "
                + "with a key that is forgotten.",
        };

    /// <summary>Makes logs of the captures among files.</summary>
    /// <param name="screen">Gets what came of each.</param>
    /// <param name="parse">The command line.</param>
    /// <param name="files">The files.</param>
    /// <returns>The files, with a log in the place of each capture.</returns>
    public string[] ToLogs(Screen screen, ParseResult parse, string[] files)
    {
        Option[] given = [.. new Option[] { Ports, Addresses, TlsKeys, Names }.Where(option => IsGiven(parse, option))];
        if (given.Length > 0 && !files.Any(CaptureFormat.IsCapture))
            throw new InputException(
                $"{given[0].Name}: none of the files is a capture of packets; allowed: with a pcap or pcapng file"
            );
        return [.. files.Select(file => CaptureFormat.IsCapture(file) ? ToLog(screen, parse, file) : file)];
    }

    private static bool IsGiven(ParseResult parse, Option option) => parse.GetResult(option) is { Implicit: false };

    private string ToLog(Screen screen, ParseResult parse, string file)
    {
        var log = RunFiles.Fresh(Path.Combine(LogsDirectory, Path.GetFileNameWithoutExtension(file) + ".csv"));
        var hadLogs = Directory.Exists(LogsDirectory);
        try
        {
            var summary = CaptureLog.Write(
                new(file, log, Tool.Version)
                {
                    Ports = parse.GetValue(Ports) ?? [],
                    Addresses = [.. (parse.GetValue(Addresses) ?? []).Select(IPAddress.Parse)],
                    TlsKeys = parse.GetValue(TlsKeys)?.FullName,
                    KeepsNames = parse.GetValue(Names),
                }
            );
            screen.Lines(summary.Lines());
            return log;
        }
        catch (InputException) when (!hadLogs && Directory.Exists(LogsDirectory))
        {
            // A refused capture leaves nothing behind.
            if (!Directory.EnumerateFileSystemEntries(LogsDirectory).Any())
                Directory.Delete(LogsDirectory);
            throw;
        }
    }
}
