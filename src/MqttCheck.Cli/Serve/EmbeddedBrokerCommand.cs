using System.CommandLine;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Delays;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Serve;

/// <summary><c>mqttcheck broker</c>: the embedded broker as a program of its own.</summary>
internal sealed class EmbeddedBrokerCommand(Screen screen, Interruption interruption)
{
    private readonly Option<int> _port = new("--port")
    {
        HelpName = "N",
        Description = "Port; 0 takes a free one.",
        DefaultValueFactory = _ => 1883,
        CustomParser = Values.Integer(0, 65535),
    };

    private readonly Option<string> _delay = new("--delay")
    {
        HelpName = "PLAN",
        Description =
            "How long each answer and delivery is held back: none, a law "
            + "such as lognormal:5ms,0.5, or a list with laws for kinds of answers "
            + "and stalls: 'lognormal:5ms,0.5;puback=none;stall=2s@10s'. Default none.",
        DefaultValueFactory = _ => "none",
    };

    private readonly Option<string> _faults = new("--faults")
    {
        HelpName = "NAME:P,...",
        Description =
            "What the broker does wrong, with probabilities: "
            + string.Join(", ", FaultCatalogue.All.Select(fault => fault.Name))
            + ".",
        DefaultValueFactory = _ => "none",
    };

    private readonly Option<FileInfo?> _delayFile = new("--delay-file")
    {
        HelpName = "FILE",
        Description = "The plan of --delay from a file, one law or stall per line; # begins a comment.",
    };

    private readonly Option<FileInfo?> _faultsFile = new("--faults-file")
    {
        HelpName = "FILE",
        Description = "The faults of --faults from a file, one per line; # begins a comment.",
    };

    private readonly Option<FileInfo?> _access = new("--access")
    {
        HelpName = "FILE",
        Description =
            "Users and rules, one per line: 'user NAME PASSWORD', 'anonymous yes|no', 'allow|deny "
            + "USER|* publish|subscribe|both FILTER'. Default: everybody may do everything.",
    };

    private readonly Option<bool> _log = new("--log")
    {
        Description = "Print connections that open or close, and why.",
    };
    private readonly BrokerListenerOptions _more = new();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly Option<bool> _child = ServedBroker.Child();

    /// <summary>The command.</summary>
    /// <param name="interruption">Ctrl-C and SIGTERM, which stop it.</param>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var embeddedBroker = new EmbeddedBrokerCommand(screen, interruption);
        var command = new Command(
            "broker",
            "Serves the embedded broker until Ctrl-C: MQTT 3.1.1 and 5 for tests, with delays and faults on demand."
        )
        {
            embeddedBroker._port,
            embeddedBroker._more.Address,
            embeddedBroker._delay,
            embeddedBroker._delayFile,
            embeddedBroker._faults,
            embeddedBroker._faultsFile,
            embeddedBroker._access,
            embeddedBroker._log,
            embeddedBroker._seed,
            embeddedBroker._child,
        };
        embeddedBroker._more.AddTo(command);
        command.Concludes((parse, _) => embeddedBroker.RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var listeners = _more.Listeners(parse);
        var options = new EmbeddedBrokerOptions
        {
            Address = new(_more.AddressOf(parse), parse.GetValue(_port)),
            MoreListeners = [.. listeners.Select(listener => listener.Listener)],
            Delays = PlanText.Read(parse, _delay, _delayFile, ';', DelayPlan.Parse),
            Broker = new()
            {
                Seed = SeedPurpose.Broker.Seed(parse.GetValue(_seed)),
                Faults = PlanText.Read(parse, _faults, _faultsFile, ',', FaultPlan.Parse),
                Access = parse.GetValue(_access) is { } file
                    ? BrokerAccess.Parse(
                        GivenFile.Read(
                            file,
                            File.ReadAllText,
                            reason => $"--access: {reason.TrimEnd('.')}; allowed: a file with users and rules"
                        ),
                        file.ToString()
                    )
                    : BrokerAccess.Open,
            },
            Log = parse.GetValue(_log) ? line => screen.Note(line) : null,
        };
        await using var broker = EmbeddedBroker.Start(options);
        screen.Line($"listening on {broker.Address}");
        foreach (var (listener, served) in listeners.Zip(broker.MoreAddresses))
            screen.Line($"listening on {served} ({listener.Meaning})");
        screen.Serve();
        await Task.WhenAny(broker.Completion, ServedBroker.Stopped(parse.GetValue(_child), interruption.Orderly));
        if (broker.Failure is { } failure)
        {
            screen.Fail(failure);
            return Conclusion.Failed;
        }
        if (!parse.GetValue(_child))
            screen.Note("stopped");
        return Conclusion.Success;
    }
}
