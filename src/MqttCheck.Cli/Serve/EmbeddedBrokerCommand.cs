using System.CommandLine;
using System.Globalization;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Delays;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Serve;

/// <summary><c>mqttcheck broker</c>: the embedded broker as a program of its own.</summary>
internal static class EmbeddedBrokerCommand
{
    /// <summary>The command.</summary>
    /// <param name="interruption">Ctrl-C and SIGTERM, which stop it.</param>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var port = new Option<int>("--port")
        {
            HelpName = "N",
            Description = "Port; 0 takes a free one.",
            DefaultValueFactory = _ => 1883,
            CustomParser = Values.Integer(0, 65535),
        };
        var address = new Option<string>("--address")
        {
            HelpName = "IP",
            Description = "Address to listen on. Default 127.0.0.1: this machine only.",
            DefaultValueFactory = _ => "127.0.0.1",
        };
        var delay = new Option<string>("--delay")
        {
            HelpName = "PLAN",
            Description =
                "How long each answer and delivery is held back: none (default), a law such as lognormal:5ms,0.5, or a list with laws for kinds of answers "
                + "and stalls: 'lognormal:5ms,0.5;puback=none;stall=2s@10s'.",
            DefaultValueFactory = _ => "none",
        };
        var faults = new Option<string>("--faults")
        {
            HelpName = "NAME:P,...",
            Description =
                "What the broker does wrong, with probabilities: "
                + string.Join(", ", FaultCatalogue.All.Select(fault => fault.Name))
                + ".",
            DefaultValueFactory = _ => "none",
        };
        var delayFile = new Option<FileInfo?>("--delay-file")
        {
            HelpName = "FILE",
            Description = "The plan of --delay from a file, one law or stall per line; # begins a comment.",
        };
        var faultsFile = new Option<FileInfo?>("--faults-file")
        {
            HelpName = "FILE",
            Description = "The faults of --faults from a file, one per line; # begins a comment.",
        };
        var access = new Option<FileInfo?>("--access")
        {
            HelpName = "FILE",
            Description =
                "Users and rules, one per line: 'user NAME PASSWORD', 'anonymous yes|no', 'allow|deny USER|* publish|subscribe|both FILTER'. Default: everybody may do everything.",
        };
        var log = new Option<bool>("--log") { Description = "Print connections that open or close, and why." };
        var more = new BrokerListenerOptions(address);
        var seed = CommonOptions.Seed();
        var child = ServedBroker.Child();
        var command = new Command(
            "broker",
            "Serves the embedded broker until Ctrl-C: MQTT 3.1.1 and 5 for tests, with delays and faults on demand."
        )
        {
            port,
            address,
            delay,
            delayFile,
            faults,
            faultsFile,
            access,
            log,
            seed,
            child,
        };
        more.AddTo(command);
        command.SetAction(
            async (parse, _) =>
            {
                var listeners = more.Listeners(parse);
                var options = new EmbeddedBrokerOptions
                {
                    Address = new(more.Address(parse), parse.GetValue(port)),
                    MoreListeners = [.. listeners.Select(listener => listener.Listener)],
                    Delays = PlanText.Read(parse, delay, delayFile, ';', DelayPlan.Parse),
                    Broker = new()
                    {
                        Seed = SeedPurpose.Broker.Seed(parse.GetValue(seed)),
                        Faults = PlanText.Read(parse, faults, faultsFile, ',', FaultPlan.Parse),
                        Access = parse.GetValue(access) is { } file ? ReadAccess(file) : BrokerAccess.Open,
                    },
                    Log = parse.GetValue(log) ? line => screen.Note(line) : null,
                };
                await using var broker = EmbeddedBroker.Start(options);
                screen.Line($"listening on {broker.Address}");
                foreach (var (listener, served) in listeners.Zip(broker.MoreAddresses))
                    screen.Line($"listening on {served} ({listener.Meaning})");
                await Task.WhenAny(
                    broker.Completion,
                    ServedBroker.Stopped(parse.GetValue(child), interruption.Orderly)
                );
                if (broker.Failure is { } failure)
                {
                    screen.Fail(failure);
                    return ExitCode.BrokerFailed;
                }
                if (!parse.GetValue(child))
                    screen.Note("stopped");
                return ExitCode.Success;
            }
        );
        return command;
    }

    private static BrokerAccess ReadAccess(FileInfo file)
    {
        try
        {
            return BrokerAccess.Parse(File.ReadAllText(file.FullName), file.ToString());
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"--access: {exception.Message.TrimEnd('.')}; allowed: a file with users and rules"
                ),
                exception
            );
        }
    }
}
