using System.CommandLine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Joining;

namespace MqttCheck.Cli.Cluster.Configurations;

/// <summary>The options by which configurations of Mosquitto are given in place of a topology.</summary>
internal sealed class ConfOptions
{
    /// <summary>The places of configurations, for the description of an argument.</summary>
    public const string Given = "Or configurations of Mosquitto: files *.conf, or folders of them.";

    /// <summary>The answers about configurations, for the description of a command.</summary>
    public const string Answers =
        "With configurations of Mosquitto it also names what is lost and when, and lines without effect.";

    private readonly Option<string[]> _named = Create(
        "--conf",
        "NAME=FILE",
        "A configuration of Mosquitto, and the name of its broker."
    );

    private readonly Option<string[]> _at = Create(
        "--at",
        ConfWords.AtForm,
        "The broker that an address of a bridge leads to: that of a file, or a name for one outside."
    );

    private readonly Option<string[]> _brokers = Create(
        "--broker",
        $"BROKER|{ConfWords.BrokerForm}",
        "Beside configurations: the broker that a name is. It decides what protects bridges to it against loops. "
            + "Default mosquitto. Alone: one broker in place of a cluster, such as mosquitto:autosave=1s, as other "
            + "commands take it."
    );

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_named);
        command.Add(_at);
        command.Add(_brokers);
    }

    /// <summary>The one broker that is given in place of a cluster; null where there is none.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="given">What is given without an option.</param>
    /// <exception cref="InputException">It is unknown, or something else is given beside it.</exception>
    public BrokerSpecification? Single(ParseResult parse, IReadOnlyList<string> given)
    {
        if (parse.GetValue(_brokers) is not { Length: > 0 } words || words.All(ConfWords.IsBroker))
            return null;
        var others = given.Concat((string[])[.. Words(_named), .. Words(_at)]).Concat(words.Skip(1)).ToList();
        return others.Count == 0
            ? BrokerSpecification.Parse(words[0])
            : throw new InputException(
                $"{_brokers.Name}: '{BrokerSpecification.Redact(words[0])}' given beside "
                    + $"'{BrokerSpecification.Redact(others[0])}'; allowed: one broker alone, or a topology, or "
                    + $"configurations with {_brokers.Name} {ConfWords.BrokerForm}."
            );

        string[] Words(Option<string[]> option) => parse.GetValue(option) ?? [];
    }

    /// <summary>The configurations; null where a topology is given.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="given">What is given without an option.</param>
    /// <exception cref="InputException">They are wrong, or a topology is given beside them.</exception>
    public ConfTopology? Read(ParseResult parse, IReadOnlyList<string> given)
    {
        string[] Words(Option<string[]> option) => parse.GetValue(option) ?? [];
        var topology = given.FirstOrDefault(path => !MosquittoConfFiles.IsConf(path));
        var isConf = topology is null || Words(_named).Length + Words(_at).Length + Words(_brokers).Length > 0;
        if (!isConf && given.Count == 1)
            return null;
        if (topology is not null)
            throw new InputException(
                $"'{topology}' is no configuration of Mosquitto; allowed: one topology alone, or files *.conf and "
                    + "folders of them, with --conf, --at and --broker."
            );
        return given.Count + Words(_named).Length > 0
            ? ConfTopology.Read(given, Words(_named), Words(_at), Words(_brokers))
            : throw new InputException(
                "no cluster given; allowed: a topology, files *.conf, --conf NAME=FILE, or one broker, such as "
                    + "--broker mosquitto."
            );
    }

    private static Option<string[]> Create(string name, string form, string description) =>
        new(name) { HelpName = form, Description = description };
}
