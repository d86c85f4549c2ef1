using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;

namespace MqttCheck.Cli.Options;

/// <summary>
/// The options that say which broker is meant and how to log in, the same in every command that talks to one.
/// </summary>
internal sealed class TargetBrokerOptions
{
    private const string DefaultDelay = "lognormal:5ms,0.5";

    /// <summary>Which broker.</summary>
    public Option<string> Broker { get; } =
        new("--broker", "-b")
        {
            HelpName = "BROKER",
            Description = BrokerSpecification.Help,
            DefaultValueFactory = _ => BrokerSpecification.EmbeddedName,
        };

    /// <summary>The delay law of the embedded broker.</summary>
    public Option<string> Delay { get; } =
        new("--delay")
        {
            HelpName = "LAW",
            Description =
                "Embedded broker: how long each answer and delivery is held back: "
                + "none, constant:5ms, uniform:1..9ms, normal:5ms,1ms, exponential:5ms, "
                + $"lognormal:5ms,0.5 (median, sigma). Default {DefaultDelay}, so that there is something to learn.",
            DefaultValueFactory = _ => DefaultDelay,
        };

    /// <summary>Whether clients go to the next node of a cluster; of the commands whose clients may.</summary>
    public Option<bool> Failover { get; } =
        new("--failover")
        {
            Description = "Cluster: a client that lost its connection tries the next node. Default: its own again.",
        };

    private readonly AccessOptions _access = new();

    /// <summary>Adds the options to a command.</summary>
    /// <param name="withBroker">Whether the option that names one broker is among them.</param>
    public void AddTo(Command command, bool withBroker = true)
    {
        if (withBroker)
            command.Options.Add(Broker);
        command.Options.Add(Delay);
        _access.AddTo(command);
    }

    /// <summary>The broker and how to reach it.</summary>
    /// <param name="delay">The delay law of the embedded broker, or null for the one of the option.</param>
    /// <param name="broker">The broker, where a command names several; null for the one of the option.</param>
    /// <param name="patience">How long it may take to start, or null for the usual time.</param>
    /// <exception cref="InputException">A value is not allowed.</exception>
    public BrokerChoice Choose(
        ParseResult parse,
        ulong seed,
        string? delay = null,
        string? broker = null,
        TimeSpan? patience = null
    )
    {
        var specification = BrokerSpecification.Parse(broker ?? parse.GetValue(Broker)!);
        var plan = DelayPlan.Parse(
            delay ?? parse.GetValue(Delay)!,
            delay is null ? "--delay"
                : broker is null ? "--verify-delay"
                : "--brokers"
        );
        var embedded = specification.Kind == BrokerKind.Embedded && !specification.IsWithoutDelay;
        // If the option is for several brokers, the law applies to the embedded ones among them.
        if (!embedded && broker is null && parse.GetResult(Delay) is { Implicit: false })
            throw new InputException($"--delay: given for {specification.Name}; allowed: only with --broker embedded.");
        var failover = parse.GetValue(Failover);
        // If the option is for several brokers, it applies to the clusters among them.
        if (failover && broker is null && specification.Kind != BrokerKind.Cluster)
            throw new InputException(
                "--failover: given for one broker; allowed: only for several, --broker cluster:FILE or "
                    + "mqtt://A,mqtt://B."
            );
        if (!_access.AllowsRemote(parse) && specification.Elsewhere is { } elsewhere)
            throw RemoteBroker.NotAllowed(specification, elsewhere);
        BrokerStart.Require(specification);
        var launch = _access.Choose(
            parse,
            specification.Kind == BrokerKind.Running && specification.Transport.IsTls(),
            specification.Name,
            "--broker mqtts://HOST or wss://HOST"
        ) with
        {
            Failover = failover,
            Hosted = OwnProgram.Brokers(plan, seed),
        };
        var prefix = _access.TopicPrefix(parse);
        if (patience is { } longer)
            launch = launch with { StartTimeout = longer };
        return new(
            specification,
            async cancellation =>
                PrefixedBroker.Of(await BrokerStart.RunAsync(specification, launch, seed, cancellation), prefix),
            _access.RateCap(parse)
        )
        {
            Seed = seed,
        };
    }

    /// <summary>The arguments that reach the same broker again, credentials apart.</summary>
    public IReadOnlyList<string> Repeated(ParseResult parse, BrokerSpecification specification)
    {
        return
        [
            "--broker",
            specification.Name,
            .. (parse.GetValue(Failover) ? (string[])[Failover.Name] : []),
            .. _access.Repeated(parse),
        ];
    }
}
