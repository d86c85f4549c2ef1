using System.CommandLine;

namespace MqttCheck.Cli.Commands;

/// <summary>The options that say which broker is meant and how to log in, the same in every command that talks to one.</summary>
public sealed class BrokerOptions
{
    /// <summary>Which broker.</summary>
    public Option<string> Broker { get; } = new("--broker", "-b")
    {
        HelpName = "BROKER",
        Description = "embedded (default), mosquitto (installed program, settings a user gets by default), mosquitto:tuned (no delay, no limits), "
            + "or mqtt://HOST:PORT for a running one.",
        DefaultValueFactory = _ => "embedded",
    };

    /// <summary>The delay law of the embedded broker.</summary>
    public Option<string> Delay { get; } = new("--delay")
    {
        HelpName = "LAW",
        Description = "Embedded broker: how long each answer and delivery is held back: none, constant:5ms, uniform:1..9ms, normal:5ms,1ms, exponential:5ms, "
            + "lognormal:5ms,0.5 (median, sigma), or a mixture of them. Default lognormal:5ms,0.5, so that there is something to learn.",
        DefaultValueFactory = _ => "lognormal:5ms,0.5",
    };

    /// <summary>The user name.</summary>
    public Option<string?> User { get; } = new("--user")
    {
        HelpName = "NAME",
        Description = "User name for a running broker; or environment variable MQTTCHECK_USER. Never written anywhere.",
    };

    /// <summary>The password.</summary>
    public Option<string?> Password { get; } = new("--password")
    {
        HelpName = "SECRET",
        Description = "Password; better in environment variable MQTTCHECK_PASSWORD or a file. Never written anywhere.",
    };

    /// <summary>A file with the password.</summary>
    public Option<FileInfo?> PasswordFile { get; } = new("--password-file")
    {
        HelpName = "FILE",
        Description = "File whose first line is the password.",
    };

    /// <summary>Whether a broker beyond this machine may be loaded.</summary>
    public Option<bool> AllowRemote { get; } = new("--allow-remote")
    {
        Description = "Allow a broker that is not on the loopback interface. You answer for the load that you put on it.",
    };

    /// <summary>Cap on the message rate.</summary>
    public Option<int?> RateCap { get; } = new("--rate-cap")
    {
        HelpName = "N",
        Description = "At most N messages per second from all clients together. Default: no cap on loopback, 1000 with --allow-remote.",
        CustomParser = result => Terminal.Values.Integer(1, 1_000_000)(result),
    };

    /// <summary>Adds the options to a command.</summary>
    /// <param name="command">The command.</param>
    public void AddTo(Command command)
    {
        ArgumentNullException.ThrowIfNull(command);
        foreach (var option in (Option[])[Broker, Delay, User, Password, PasswordFile, AllowRemote, RateCap]) command.Options.Add(option);
    }
}
