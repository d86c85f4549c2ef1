using System.Text.Json;
using MqttCheck.Automata.Networks;
using MqttCheck.Json;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// Reads a property of a JANI model. A network leaves nothing open and begins in one state, so minima, maxima and
/// filters over initial states all mean the one value.
/// </summary>
internal static class JaniPropertyReader
{
    /// <returns>The property, or null after a finding.</returns>
    public static NetworkProperty? Read(JsonTree tree, JaniExpressionReader expressions)
    {
        var findings = expressions.Findings;
        var reader = JaniReader.Open(tree, findings, "comment");
        var name = reader.Text("name", null);
        var filter = reader.Required("expression", "a filter");
        reader.End();
        if (filter is null)
            return null;
        if (filter.Member("op") is not { Text: "filter" })
        {
            findings.Add(filter, $"{filter.Given} given; allowed: a filter");
            return null;
        }
        var members = JaniReader.Open(filter, findings, "op", "comment");
        if (
            members.Required("fun", "min, max, avg, sum, values") is { } fun
            && fun.Text is not ("min" or "max" or "avg" or "sum" or "values")
        )
            findings.Add(fun, $"the filter function {fun.Given} is not supported; allowed: min, max, avg, sum, values");
        if (
            members.Required("states", "the initial states") is { } states
            && states.Member("op") is not { Text: "initial" }
        )
            findings.Add(states, "the filter's states are not supported; allowed: {\"op\": \"initial\"}");
        var values = members.Required("values", "Pmin, Pmax, Emin or Emax");
        members.End();
        return values?.Member("op")?.Text switch
        {
            null => null,
            "Pmin" or "Pmax" => ReadProbability(name, values, expressions),
            "Emin" or "Emax" => ReadExpectation(name, values, expressions),
            _ => Refused(values, values.Member("op")!),
        };

        NetworkProperty? Refused(JsonTree at, JsonTree op)
        {
            findings.Add(at, $"the operator {op.Given} is not supported; allowed: Pmin, Pmax, Emin, Emax");
            return null;
        }
    }

    private static NetworkProperty.Probability? ReadProbability(
        string name,
        JsonTree values,
        JaniExpressionReader expressions
    )
    {
        var reader = JaniReader.Open(values, expressions.Findings, "op", "comment");
        var path = reader.Required("exp", "a path formula F, G or U");
        reader.End();
        return path is not null && ReadPath(path, expressions) is { } formula ? new(name, formula) : null;
    }

    private static PathFormula? ReadPath(JsonTree path, JaniExpressionReader expressions)
    {
        var findings = expressions.Findings;
        var reader = JaniReader.Open(path, findings, "comment");
        var op = reader.Required("op", "F, G or U")?.Text;
        foreach (var refused in (string[])["step-bounds", "reward-bounds"])
            if (reader.Optional(refused) is { } bounds)
                findings.Add(bounds, $"{refused} are not supported; allowed: time-bounds");
        var bound = reader.Optional("time-bounds") is { } given ? ReadBound(given, expressions) : TimeBound.Any;
        PathFormula? formula = op switch
        {
            "F" => new PathFormula.Eventually(expressions.Member(reader, "exp"), bound),
            "G" => new PathFormula.Always(expressions.Member(reader, "exp"), bound),
            "U" => new PathFormula.Until(
                expressions.Member(reader, "left"),
                expressions.Member(reader, "right"),
                bound
            ),
            _ => null,
        };
        if (formula is null)
            findings.Add(path, $"the path operator {op} is not supported; allowed: F, G, U");
        else
            reader.End();
        return formula;
    }

    private static TimeBound ReadBound(JsonTree tree, JaniExpressionReader expressions)
    {
        var reader = new JsonObjectReader(tree, expressions.Findings);
        var lower = reader.Optional("lower") is { } from ? expressions.ReadConstant(from, "the lower time bound") : 0;
        var upper = reader.Optional("upper") is { } to
            ? expressions.ReadConstant(to, "the upper time bound")
            : double.PositiveInfinity;
        var lowerOpen = reader.Optional("lower-exclusive") is { Type: JsonTokenType.True };
        var upperOpen = reader.Optional("upper-exclusive") is { Type: JsonTokenType.True };
        reader.End();
        if (!(lower >= 0 && upper >= lower))
            expressions.Findings.Add(
                tree,
                FormattableString.Invariant(
                    $"the time bounds are {lower} .. {upper}; allowed: 0 or more, not descending"
                )
            );
        return new(lower, upper, lowerOpen, upperOpen);
    }

    private static NetworkProperty.Expectation? ReadExpectation(
        string name,
        JsonTree values,
        JaniExpressionReader expressions
    )
    {
        var findings = expressions.Findings;
        var before = findings.Count;
        var reader = JaniReader.Open(values, findings, "op", "comment");
        var quantity = expressions.Member(reader, "exp");
        var accumulate = false;
        foreach (var item in JaniReader.Items(reader, "accumulate"))
        {
            accumulate = item.Text == "time";
            if (!accumulate)
                findings.Add(
                    item,
                    $"accumulation over {item.Given} is not supported; allowed: \"time\", or no accumulation"
                );
        }
        foreach (var refused in (string[])["step-instant", "reward-instants"])
            if (reader.Optional(refused) is { } instant)
                findings.Add(instant, $"{refused} is not supported; allowed: reach or time-instant");
        var reach = reader.Optional("reach") is { } condition ? expressions.Read(condition) : null;
        double? time = reader.Optional("time-instant") is { } at
            ? expressions.ReadConstant(at, "the time instant")
            : null;
        reader.End();
        if (reach is null == time is null)
            findings.Add(values, "an expectation needs either reach or time-instant; allowed: one of them");
        if (time < 0)
            findings.Add(values, FormattableString.Invariant($"the time instant is {time}; allowed: 0 or more"));
        return findings.Count > before ? null : new(name, quantity, accumulate, reach, time);
    }
}
