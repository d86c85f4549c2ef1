using System.CommandLine;
using System.Net;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Workers;

/// <summary><c>mqttcheck worker</c>: computes for the commands that are given <c>--workers</c>.</summary>
internal static class WorkerCommand
{
    /// <summary>The command.</summary>
    /// <param name="interruption">Ctrl-C and SIGTERM, which end it.</param>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var join = Join("Where the workers find each other: redis://HOST:PORT, or HOST:PORT of the first worker.");
        var slots = new Option<int>("--slots")
        {
            HelpName = "N",
            Description = "How many shards to compute at once. Default: the number of processors.",
            DefaultValueFactory = _ => Environment.ProcessorCount,
            CustomParser = Values.Integer(1, 1024),
        };
        var listen = new Option<string>("--listen")
        {
            HelpName = "IP",
            Description =
                "The address to listen on, under which others reach this worker. Default 127.0.0.1. "
                + "Another one needs --certificate and a key in MQTTCHECK_WORKER_KEY.",
            DefaultValueFactory = _ => "127.0.0.1",
        };
        var port = new Option<int?>("--port")
        {
            HelpName = "N",
            Description = "The port for other workers; the next one is for commands. Default: two that are free.",
            CustomParser = result => Values.Integer(1, 65534)(result),
        };
        var certificate = WorkersOption.Certificate("");
        var command = new Command("worker", "Computes for the commands that are given --workers, until Ctrl-C.")
        {
            join,
            slots,
            listen,
            port,
            certificate,
        };
        command.Concludes(
            (parse, _) =>
                WorkerStage.ServeAsync(
                    parse.GetValue(join)!,
                    parse.GetValue(slots),
                    Address(parse.GetValue(listen)!),
                    parse.GetValue(port),
                    parse.GetValue(certificate)?.ToString(),
                    screen,
                    interruption
                )
        );
        return command;
    }

    /// <summary><c>--join</c>.</summary>
    public static Option<string> Join(string description) =>
        new("--join")
        {
            HelpName = "ADDRESS",
            Description = description,
            Required = true,
        };

    private static IPAddress Address(string text) =>
        IPAddress.TryParse(text, out var address)
        && !address.Equals(IPAddress.Any)
        && !address.Equals(IPAddress.IPv6Any)
            ? address
            : throw new InputException(
                $"--listen: '{text}' is not allowed; allowed is an IP address of this machine that others reach."
            );
}
