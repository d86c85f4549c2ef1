using System.Globalization;
using System.Text.Json;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Json;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// Reads networks in the JANI format (jani-spec.org), model type <c>sta</c>: clocks, invariants, guards, distributions,
/// probabilistic destinations, shared variables, arrays, synchronisation vectors, and the properties <c>Pmin</c>,
/// <c>Pmax</c> over <c>F</c>, <c>G</c>, <c>U</c> with time bounds and <c>Emin</c>, <c>Emax</c>. What is outside is
/// refused by name.
/// </summary>
internal static class JaniReader
{
    // Deep enough for long sums, which are nested.
    private const int MaximumDepth = 1000;

    /// <summary>Reads a model file.</summary>
    /// <param name="path">The path of the file.</param>
    /// <param name="constants">Values for constants that have none in the file; null for none.</param>
    /// <exception cref="InputException">
    /// The file is missing, malformed, or outside of what is understood: every finding with file, line and key.
    /// </exception>
    public static NetworkModel Read(string path, IReadOnlyDictionary<string, double>? constants = null) =>
        Parse(Text(path), path, constants);

    /// <summary>The text of a model file.</summary>
    /// <param name="path">The path of the file.</param>
    /// <exception cref="InputException">The file cannot be read.</exception>
    public static byte[] Text(string path)
    {
        var content = InputFile.ReadAllBytes("JANI model", path, "the path of a model file");
        KnownFile.Require(content, "JANI model", path, KnownFile.Jani);
        return content;
    }

    /// <summary>Reads a model.</summary>
    /// <param name="utf8">Its text.</param>
    /// <param name="source">The name of the model in messages.</param>
    /// <param name="constants">Values for constants that have none in the text; null for none.</param>
    /// <exception cref="InputException">
    /// It is malformed, or outside of what is understood: every finding with line and key.
    /// </exception>
    public static NetworkModel Parse(
        ReadOnlySpan<byte> utf8,
        string source,
        IReadOnlyDictionary<string, double>? constants = null
    )
    {
        var findings = new JsonFindings(source);
        var reader = new JsonObjectReader(JsonTree.Parse(utf8, source, MaximumDepth), findings);
        var name = ReadHead(reader, findings);
        var expressions = new JaniExpressionReader(
            findings,
            ReadConstants(Items(reader, "constants"), constants ?? new Dictionary<string, double>(), findings)
        );
        var variables = JaniVariableReader.Read(Items(reader, "variables"), expressions);
        RefuseRestriction(reader, findings);
        var properties = Items(reader, "properties");
        var automata = reader
            .Array("automata", "an array of automata")
            .Select(tree => JaniAutomatonReader.Read(tree, expressions))
            .ToList();
        var system = reader.Required("system", "an object with elements and syncs");
        reader.End();
        var (instances, synchronisations) = system is null ? ([], []) : ReadSystem(system, automata, findings);
        findings.ThrowIfAny();
        var (understood, refused) = ReadProperties(properties, source, expressions);
        var model = new NetworkModel
        {
            Network = new()
            {
                Name = name,
                Variables = [.. variables],
                Automata = [.. instances],
                Synchronisations = [.. synchronisations],
            },
            Properties = [.. understood],
            Refused = [.. refused],
        };
        RequireRunnable(model, source);
        return model;
    }

    // The name of the model; what else stands before the constants is checked and not needed.
    private static string ReadHead(JsonObjectReader reader, JsonFindings findings)
    {
        reader.Optional("metadata");
        reader.Optional("comment");
        reader.Integer("jani-version", 1, 1);
        var name = reader.Text("name", null);
        if (reader.Required("type", "\"sta\"") is { } type && type.Text != "sta")
            findings.Add(type, $"the model type {type.Given} is not supported; allowed: \"sta\"");
        foreach (
            var feature in Items(reader, "features")
                .Where(feature => feature.Text is not ("derived-operators" or "arrays"))
        )
            findings.Add(feature, $"the feature {feature.Given} is not supported; allowed: derived-operators, arrays");
        foreach (var action in Items(reader, "actions"))
        {
            var members = new JsonObjectReader(action, findings);
            members.Text("name", null);
            members.Optional("comment");
            members.End();
        }
        return name;
    }

    private static void RequireRunnable(NetworkModel model, string source)
    {
        try
        {
            _ = new NetworkSimulator(model.Network);
        }
        catch (InputException wrong)
        {
            throw new InputException(
                string.Join('\n', wrong.Message.Split('\n').Select(line => $"{source}: {line}")),
                wrong
            );
        }
    }

    /// <summary>A reader of an object, of which some keys are known already or say nothing.</summary>
    internal static JsonObjectReader Open(JsonTree tree, JsonFindings findings, params ReadOnlySpan<string> passed)
    {
        var reader = new JsonObjectReader(tree, findings);
        foreach (var key in passed)
            reader.Optional(key);
        return reader;
    }

    /// <summary>The items of an array that may be left out.</summary>
    internal static IReadOnlyList<JsonTree> Items(JsonObjectReader reader, string key) =>
        reader.Optional(key) is null ? [] : reader.Array(key, "an array");

    /// <summary>Initial values are given, so a restriction of them says nothing more unless it is false.</summary>
    internal static void RefuseRestriction(JsonObjectReader reader, JsonFindings findings)
    {
        if (
            reader.Optional("restrict-initial") is { } restriction
            && restriction.Member("exp")?.Type != JsonTokenType.True
        )
            findings.Add(restriction, "restrict-initial is not supported; allowed: initial values of all variables");
    }

    private static Dictionary<string, double> ReadConstants(
        IReadOnlyList<JsonTree> items,
        IReadOnlyDictionary<string, double> given,
        JsonFindings findings
    )
    {
        var values = new Dictionary<string, double>(StringComparer.Ordinal);
        // A constant may be defined by those before it.
        var expressions = new JaniExpressionReader(findings, values);
        foreach (var item in items)
        {
            var reader = new JsonObjectReader(item, findings);
            var name = reader.Text("name", null);
            reader.Required("type", "a type");
            reader.Optional("comment");
            var value = reader.Optional("value");
            reader.End();
            if (given.TryGetValue(name, out var known))
                values[name] = known;
            else if (value is not null)
                values[name] = expressions.ReadConstant(value, $"the constant {name}");
            else
                findings.Add(
                    item,
                    $"the constant {name} has no value; allowed: a value in the file or one that is given with the file"
                );
        }
        foreach (var (unknown, _) in given.Where(pair => !values.ContainsKey(pair.Key)))
            findings.Add(
                items.Count > 0 ? items[0] : JsonTree.Parse("{}"u8, ""),
                $"a value is given for {unknown}, which is no constant; allowed: {string.Join(", ", values.Keys)}"
            );
        return values;
    }

    private static (List<StochasticTimedAutomaton> Instances, List<Synchronisation> Synchronisations) ReadSystem(
        JsonTree system,
        List<StochasticTimedAutomaton> automata,
        JsonFindings findings
    )
    {
        var reader = Open(system, findings, "comment");
        var instances = ReadInstances(reader, automata, findings);
        var synchronisations = new List<Synchronisation>();
        foreach (var sync in Items(reader, "syncs"))
        {
            var members = Open(sync, findings, "comment");
            var actions = members.Array("synchronise", "an array with an action or null for each element");
            var result = members.Optional("result");
            members.End();
            if (actions.Count != instances.Count)
                findings.Add(
                    sync,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{actions.Count} actions given; allowed: one for each of the {instances.Count} elements"
                    )
                );
            else
                synchronisations.Add(
                    new(
                        result?.Type == JsonTokenType.String ? result.Text : null,
                        [
                            .. actions
                                .Zip(instances)
                                .Where(pair => pair.First.Type == JsonTokenType.String)
                                .Select(pair => new SynchronisedAction(pair.Second.Name, pair.First.Text)),
                        ]
                    )
                );
        }
        reader.End();
        // A vector with an action for which the automaton has no edge can never be taken.
        synchronisations.RemoveAll(synchronisation =>
            synchronisation.Participants.Any(part =>
                instances
                    .Find(instance => instance.Name == part.Automaton)!
                    .Edges.All(edge => edge.Action != part.Action)
            )
        );
        return (instances, synchronisations);
    }

    private static List<StochasticTimedAutomaton> ReadInstances(
        JsonObjectReader reader,
        List<StochasticTimedAutomaton> automata,
        JsonFindings findings
    )
    {
        var instances = new List<StochasticTimedAutomaton>();
        foreach (var element in reader.Array("elements", "an array of automata"))
        {
            var members = Open(element, findings, "comment");
            var name = members.Text("automaton", null);
            if (members.Optional("input-enable") is { Items.Count: > 0 } enabled)
                findings.Add(enabled, "input-enable is not supported; allowed: edges for every action");
            members.End();
            if (automata.Find(automaton => automaton.Name == name) is not { } known)
            {
                findings.Add(
                    element,
                    $"there is no automaton {name}; allowed: "
                        + $"{string.Join(", ", automata.Select(automaton => automaton.Name))}"
                );
                continue;
            }
            // An automaton may stand for several alike.
            var unique = name;
            for (var number = 2; instances.Exists(instance => instance.Name == unique); number++)
                unique = string.Create(CultureInfo.InvariantCulture, $"{name}_{number}");
            instances.Add(known with { Name = unique });
        }
        return instances;
    }

    private static (List<NetworkProperty> Understood, List<RefusedProperty> Refused) ReadProperties(
        IReadOnlyList<JsonTree> items,
        string source,
        JaniExpressionReader known
    )
    {
        var understood = new List<NetworkProperty>();
        var refused = new List<RefusedProperty>();
        foreach (var item in items)
        {
            // A property that is not understood does no harm to the others.
            var findings = new JsonFindings(source);
            var property = JaniPropertyReader.Read(item, known.With(findings));
            try
            {
                findings.ThrowIfAny();
                understood.Add(property!);
            }
            catch (InputException reason)
            {
                refused.Add(new(item.Member("name")?.Text ?? "", reason.Message));
            }
        }
        return (understood, refused);
    }
}
