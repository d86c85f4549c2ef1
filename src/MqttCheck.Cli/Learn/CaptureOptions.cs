using System.CommandLine;
using System.Net;
using MqttCheck.App.Runs;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Foreign;
using MqttCheck.Captures.Logs;
using MqttCheck.Captures.Usage;
using MqttCheck.Cli.Terminal;
using MqttCheck.Logs;

namespace MqttCheck.Cli.Learn;

/// <summary>
/// How captures of packets and logs of other programs are read, where they are given in the place of logs.
/// </summary>
internal sealed class CaptureOptions
{
    private const string LogsDirectory = "logs";

    /// <summary><c>--port</c>: where the broker listens.</summary>
    public Option<int[]> Ports { get; } =
        new("--port")
        {
            HelpName = "N",
            Description =
                "Of a capture or of tshark's fields: a port of the broker; may be given several times. "
                + "Default: what the connections show.",
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

    /// <summary><c>--columns</c>: says what the columns of another program's log mean.</summary>
    public Option<string?> Columns { get; } =
        new("--columns")
        {
            HelpName = "PART=COLUMN,...",
            Description =
                "Of a CSV file of another program: the columns with time, and latency or end; also message, client, "
                + "size, topic, qos, success. Times are milliseconds or dates; COLUMN:us says another unit.",
        };

    private readonly List<FoundProfile> _profiles = [];

    /// <summary>Makes logs of the captures and of other programs' logs among files.</summary>
    /// <param name="screen">Gets what came of each.</param>
    /// <param name="parse">The command line.</param>
    /// <param name="files">The files.</param>
    /// <returns>The files, with a log in the place of each that was none.</returns>
    public string[] ToLogs(Screen screen, ParseResult parse, string[] files)
    {
        var columns = parse.GetValue(Columns) is { } text ? ColumnMap.Parse(text) : null;
        RequireOf(
            parse,
            files,
            CaptureFormat.IsCapture,
            "a capture of packets (pcap or pcapng)",
            Addresses,
            TlsKeys,
            Names
        );
        RequireOf(
            parse,
            files,
            file => CaptureFormat.IsCapture(file) || ForeignFiles.IsKnown(file),
            "a capture of packets (pcap or pcapng), or fields of tshark",
            Ports
        );
        RequireOf(parse, files, file => !CaptureFormat.IsCapture(file), "a CSV file", Columns);
        return
        [
            .. files.Select(file =>
                CaptureFormat.IsCapture(file) ? ToLog(file, log => OfCapture(screen, parse, file, log))
                : columns is not null || ForeignFiles.IsKnown(file)
                    ? ToLog(file, log => OfForeign(screen, parse, file, columns, log))
                : file
            ),
        ];
    }

    /// <summary>How a capture is read.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="file">The capture.</param>
    /// <param name="log">The log of its exchanges.</param>
    public CaptureRequest RequestOf(ParseResult parse, string file, string log) =>
        new(file, log, Tool.Version)
        {
            Ports = parse.GetValue(Ports) ?? [],
            Addresses = [.. (parse.GetValue(Addresses) ?? []).Select(IPAddress.Parse)],
            TlsKeys = parse.GetValue(TlsKeys)?.FullName,
            KeepsNames = parse.GetValue(Names),
        };

    /// <summary>Writes the profiles of the clients of captures.</summary>
    /// <param name="screen">Gets their paths.</param>
    /// <param name="model">The path of the model that they stand beside.</param>
    public void WriteProfiles(Screen screen, string model)
    {
        foreach (var profile in _profiles)
        {
            if (profile.WriteBeside(model) is { } file)
                screen.Line($"profile: {file}");
        }
    }

    private static void RequireOf(
        ParseResult parse,
        string[] files,
        Func<string, bool> isOne,
        string what,
        params ReadOnlySpan<Option> options
    )
    {
        foreach (var option in options)
        {
            if (IsGiven(parse, option) && !files.Any(isOne))
                throw new InputException($"{option.Name}: none of the files is {what}; allowed: with such a file");
        }
    }

    private static bool IsGiven(ParseResult parse, Option option) => parse.GetResult(option) is { Implicit: false };

    private static string ToLog(string file, Action<string> write)
    {
        var name = Path.GetFileNameWithoutExtension(LogFile.Uncompressed(file)) + ".csv";
        var log = RunFiles.Fresh(Path.Combine(LogsDirectory, name));
        var hadLogs = Directory.Exists(LogsDirectory);
        try
        {
            write(log);
            return log;
        }
        catch (InputException) when (!hadLogs && Directory.Exists(LogsDirectory))
        {
            // A refused file leaves nothing behind.
            if (!Directory.EnumerateFileSystemEntries(LogsDirectory).Any())
                Directory.Delete(LogsDirectory);
            throw;
        }
    }

    private void OfCapture(Screen screen, ParseResult parse, string file, string log)
    {
        var summary = CaptureLog.Write(RequestOf(parse, file, log));
        screen.Lines(summary.Lines());
        _profiles.Add(summary.Profile);
    }

    private void OfForeign(Screen screen, ParseResult parse, string file, ColumnMap? columns, string log)
    {
        var foreign = ForeignFiles.Read(file, columns, parse.GetValue(Ports) ?? []);
        screen.Lines(ForeignLogFile.Write(foreign, file, log, Tool.Version).Lines());
    }
}
