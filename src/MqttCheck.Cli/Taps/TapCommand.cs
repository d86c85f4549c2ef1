using System.CommandLine;
using System.Net;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire.Tls;
using MqttCheck.Captures.Logs;
using MqttCheck.Captures.Taps;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Taps;

/// <summary><c>mqttcheck tap</c>: passes connections on to a broker, and logs them.</summary>
internal sealed class TapCommand(Screen screen, Interruption interruption)
{
    private readonly Option<int> _port = new("--listen")
    {
        HelpName = "PORT",
        Description = "The port where clients connect; 0 takes a free one.",
        Required = true,
        CustomParser = Values.Integer(0, 65535),
    };

    private readonly Option<string> _address = new("--address")
    {
        HelpName = "IP",
        Description = "Address to listen on. Default 127.0.0.1: this machine only.",
        DefaultValueFactory = _ => "127.0.0.1",
    };

    private readonly Option<string> _broker = new("--to")
    {
        HelpName = "HOST:PORT",
        Description = "The broker: HOST:PORT, mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS.",
        Required = true,
    };

    private readonly Option<FileInfo?> _certificate = new("--cert")
    {
        HelpName = "FILE",
        Description = "Clients speak TLS: the certificate to show them, PEM, followed by those that sign it.",
    };

    private readonly Option<FileInfo?> _key = new("--key")
    {
        HelpName = "FILE",
        Description = "Its private key, PEM, not encrypted. Default: in the file of the certificate.",
    };

    private readonly Option<bool> _names = new("--names")
    {
        Description =
            "Write the names of clients and topics as they are. Without it their hashes are written, with a key that "
            + "is forgotten.",
    };

    private readonly Option<TimeSpan?> _duration = new("--for")
    {
        HelpName = "TIME",
        Description = "End after this time. Default: at Ctrl-C.",
        CustomParser = result => Values.Duration(result),
    };

    private readonly Option<FileInfo?> _output = CommonOptions.OutputFile(
        "The log to write (CSV). Default: logs/tap.csv, or logs/tap-2.csv where that exists."
    );

    private readonly TlsOptions _tls = new();

    /// <summary>The command.</summary>
    /// <param name="interruption">Ctrl-C and SIGTERM, which end it.</param>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var tap = new TapCommand(screen, interruption);
        var command = new Command(
            "tap",
            "Passes connections of clients on to a broker, unchanged, and logs their exchanges for 'learn'."
        )
        {
            tap._port,
            tap._address,
            tap._broker,
            tap._certificate,
            tap._key,
            tap._names,
            tap._duration,
            tap._output,
        };
        tap._tls.AddTo(command);
        command.Concludes((parse, _) => tap.RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var broker = TapTarget.Parse(parse.GetValue(_broker)!);
        var tls = _tls.Choose(parse, broker.Transport.IsTls(), broker.Name, "--to mqtts://HOST");
        var listener = new Brokers.Wire.WireListener(new(Address(parse), parse.GetValue(_port)))
        {
            Tls = Certificate(parse),
        };
        var path = parse.GetValue(_output)?.ToString();
        if (path is not null)
            OutputPath.RequireWritable(path, _output.Name);
        var log = path ?? RunFiles.Fresh(Path.Combine("logs", "tap.csv"));
        var target = await TapTarget.ReachAsync(broker, tls, interruption.Orderly);
        await using var tap = Tap.Start(
            new(listener, target, log, Tool.Version)
            {
                KeepsNames = parse.GetValue(_names),
                Time = screen.Time,
                Note = screen.Note,
            }
        );
        screen.Line($"listening on {tap.Address}, for {broker.Name}");
        screen.Serve();
        await Task.WhenAny(tap.Completion, Ended(parse.GetValue(_duration)));
        var summary = await tap.EndAsync();
        if (tap.Failure is { } failure)
        {
            screen.Fail(failure);
            return Conclusion.Failed;
        }
        if (summary is null)
            screen.Note("no MQTT passed, so no log was written");
        else
            Print(summary, log);
        if (tap.TurnedAway > 0)
            screen.Note($"turned away: {tap.TurnedAway} connections, because the broker did not answer");
        return Conclusion.Success;
    }

    private void Print(CaptureSummary summary, string log)
    {
        screen.Lines(summary.Lines());
        if (summary.Profile.WriteBeside(log) is { } profile)
            screen.Line($"profile: {profile}");
    }

    private async Task Ended(TimeSpan? duration)
    {
        try
        {
            await Task.Delay(duration ?? Timeout.InfiniteTimeSpan, interruption.Orderly);
        }
        catch (OperationCanceledException)
        {
            // Ctrl-C is the usual end.
        }
    }

    private IPAddress Address(ParseResult parse) =>
        IPAddress.TryParse(parse.GetValue(_address), out var ip)
            ? ip
            : throw new InputException(
                $"--address: '{parse.GetValue(_address)}' is not allowed; allowed "
                    + "is an IP address of this machine, such as 127.0.0.1 or ::1."
            );

    private TlsServerOptions? Certificate(ParseResult parse)
    {
        if (parse.GetValue(_certificate) is { } file)
            return new(
                PemFiles.ReadCertificateWithKey(file.ToString(), parse.GetValue(_key)?.ToString(), "--cert, --key")
            );
        return parse.GetValue(_key) is null
            ? null
            : throw new InputException("--key: given without --cert; allowed: only beside it.");
    }
}
