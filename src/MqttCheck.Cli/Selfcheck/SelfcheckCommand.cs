using System.CommandLine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Selfcheck;

/// <summary><c>mqttcheck selfcheck</c>: the tool's own error.</summary>
internal static class SelfcheckCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var broker = new Option<string?>("--broker", "-b")
        {
            HelpName = "BROKER",
            Description =
                "Broker of the comparison with the wire: embedded or "
                + "an installed one, tuned or not; over plain TCP, on this machine. Default embedded.",
        };
        var clients = new Option<int>("--clients", "-n")
        {
            HelpName = "N",
            Description = "How many clients of up1 the comparison with the wire has. Default 100.",
            DefaultValueFactory = _ => 100,
            CustomParser = Values.Integer(1, 20_000),
        };
        var time = new Option<TimeSpan>("--for")
        {
            HelpName = "TIME",
            Description = "How long the comparison with the wire takes. Default 10s.",
            DefaultValueFactory = _ => TimeSpan.FromSeconds(10),
            CustomParser = Values.Duration,
        };
        var audit = new Option<bool>("--audit")
        {
            Description =
                "Have the kernel stamp requests as well as answers (Linux): finer times, and more work per message.",
        };
        var seed = CommonOptions.Seed();
        var command = new Command(
            "selfcheck",
            "Measures the tool's own error: against known delays, and against a packet capture where that is allowed."
        )
        {
            broker,
            clients,
            time,
            audit,
            seed,
        };
        command.Concludes(
            async (parse, _) =>
                await new SelfcheckStage(
                    screen,
                    interruption,
                    new(
                        Specification(parse.GetValue(broker)),
                        parse.GetValue(clients),
                        parse.GetValue(time),
                        parse.GetValue(audit),
                        parse.GetValue(seed)
                    )
                ).RunAsync()
        );
        return command;
    }

    private static BrokerSpecification? Specification(string? name)
    {
        var specification = name is not null ? BrokerSpecification.Parse(name) : null;
        if (specification is not null && specification.Transport != BrokerTransport.Tcp)
            throw new InputException(
                $"--broker: {specification.Name} given; allowed: a broker "
                    + "over plain TCP, whose packets can be read in a capture."
            );
        return specification;
    }
}
