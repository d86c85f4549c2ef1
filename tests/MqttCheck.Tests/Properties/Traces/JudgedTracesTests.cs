using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Tests.Properties.Traces;

[TestFixture]
internal sealed class JudgedTracesTests
{
    private static readonly Gen<(string Group, bool IsJudged)> s_trace =
        from name in Gen.Elements("", "sensors", "dashboards", "gateways")
        from isJudged in Gen.Elements(true, false)
        select (name, isJudged);

    // Samples of 200; the seed is fixed.
    [Test]
    public void The_counts_of_all_groups_add_up_to_the_traces_however_these_are_cut_into_units() =>
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(11, 13).WithMaxTest(200),
            Prop.ForAll(
                s_trace.ArrayOf().ArrayOf().ToArbitrary(),
                units =>
                {
                    (string Group, bool IsJudged)[] all = [.. units.SelectMany(unit => unit)];
                    var judged = JudgedTraces.Of(units.Select(Values));
                    var parts = JudgedTraces.Sum(units.Select(unit => JudgedTraces.Of([Values(unit)])));
                    return judged.Traces == all.Length
                        && judged.Judged == all.Count(trace => trace.IsJudged)
                        && judged.Groups.SequenceEqual(parts.Groups)
                        && judged.Groups.All(group =>
                            group.Traces == all.Count(trace => trace.Group == group.Group)
                            && group.Judged == all.Count(trace => trace.Group == group.Group && trace.IsJudged)
                        );
                }
            )
        );

    private static IEnumerable<TestCaseData> Words()
    {
        TracesOfGroup sensors = new("sensors", 0, 900),
            dashboards = new("dashboards", 100, 100),
            gateways = new("gateways", 7, 9);
        yield return Case([dashboards], null).SetName("Nothing_is_said_where_every_trace_was_judged");
        yield return Case([sensors], null).SetName("Nothing_is_said_where_no_trace_was_judged");
        yield return Case([], null).SetName("Nothing_is_said_without_a_trace");
        yield return Case([gateways], "judged on 7 of 9 traces (77.8%)").SetName("Of_one_group_the_share_is_said");
        yield return Case([sensors, dashboards, gateways with { Group = "" }], "judged on 107 of 1009 traces (10.6%)")
            .SetName("Where_a_group_is_not_known_the_share_is_said");
        yield return Case(
                [sensors, dashboards, gateways],
                "judged on 107 of 1009 traces (10.6%; sensors none of 900, dashboards all 100, gateways 7 of 9)"
            )
            .SetName("Of_several_groups_each_is_named");

        static TestCaseData Case(TracesOfGroup[] groups, string? words) => new(groups, words);
    }

    [TestCaseSource(nameof(Words))]
    public void The_words_say_of_whom_an_answer_speaks(object groups, string? words) =>
        Assert.That(new JudgedTraces((TracesOfGroup[])groups).InWords, Is.EqualTo(words));

    private static TraceValues Values((string Group, bool IsJudged)[] unit) =>
        new(
            [.. unit.Select(trace => trace.IsJudged ? 1 : double.NaN)],
            [.. unit.Select(trace => trace.Group)],
            CutShort: 0
        );
}
