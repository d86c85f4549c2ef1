using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Generation;

[TestFixture]
internal sealed class ScenarioPlanTests
{
    private const int Draws = 2000;

    private static readonly ScenarioGenerator s_generator = new(
        new GeneratorOptions { Versions = [ProtocolVersion.V311, ProtocolVersion.V5] }
    );

    // Seed 3. Half of the draws are even: of 11 subjects each gets about 91 of 2000. All of the other half go to the
    // only subject that judges what is judged seldom, but for what optimism leaves to the others.
    [Test]
    public void What_judges_seldom_judged_statements_is_drawn_more_often()
    {
        var plan = new ScenarioPlan(s_generator, 3);
        foreach (var subject in s_generator.Subjects(waits: false))
            for (var run = 0; run < 100; run++)
                plan.Judged(
                    subject,
                    new Dictionary<Statement, int>
                    {
                        [Statements.Available] = 50,
                        [Statements.NoFlood] = subject == ScenarioSubject.Sharing && run == 0 ? 1 : 0,
                    }
                );
        var drawn = Draw(plan, waits: false, meetsOthers: false).CountBy(planned => planned.Subject).ToDictionary();
        Assert.That(drawn[ScenarioSubject.Sharing], Is.GreaterThan(4 * drawn[ScenarioSubject.Retained]));
        Assert.That(drawn.Values, Has.All.GreaterThan(30));
    }

    // Seed 5; nothing was judged yet, so the draws are about even: with 2000 draws of 11 subjects, fewer than 60 of one
    // come with a probability below 1e-13.
    [Test]
    public void Every_subject_comes_at_first()
    {
        var plan = new ScenarioPlan(s_generator, 5);
        foreach (var waits in (bool[])[false, true])
            Assert.That(
                Draw(plan, waits, meetsOthers: false)
                    .CountBy(planned => planned.Subject)
                    .Count(pair => pair.Value > 60),
                Is.EqualTo(s_generator.Subjects(waits).Count())
            );
    }

    [Test]
    public void Only_what_is_to_meet_others_does_so()
    {
        var plan = new ScenarioPlan(s_generator, 7);
        Assert.That(Draw(plan, false, false).Any(planned => planned.Scenario.MeetsOthers), Is.False);
        Assert.That(Draw(plan, true, false).Any(planned => planned.Scenario.MeetsOthers), Is.False);
        // A scenario may have no subscription at all.
        Assert.That(Draw(plan, false, true).Count(planned => planned.Scenario.MeetsOthers), Is.GreaterThan(Draws / 3));
    }

    [Test]
    public void Versions_without_a_subject_do_not_get_it()
    {
        var plan = new ScenarioPlan(new ScenarioGenerator(new GeneratorOptions()), 9);
        var drawn = Draw(plan, waits: true, meetsOthers: false);
        Assert.That(drawn.Select(planned => planned.Subject).Distinct(), Is.EqualTo([ScenarioSubject.KeepAlive]));
        Assert.That(drawn.TrueForAll(planned => planned.Scenario.Version == ProtocolVersion.V311));
    }

    // Seed 11: what the issue of blind spots named. Each is counted in 2000 scenarios about its subject.
    [TestCase(ScenarioSubject.ManySubscriptions, false, "a fifth subscription", 100)]
    [TestCase(ScenarioSubject.Aliases, false, "an alias for another topic", 100)]
    [TestCase(ScenarioSubject.HalfFlows, false, "PUBCOMP withheld, and the connection lost", 50)]
    [TestCase(ScenarioSubject.Sharing, false, "one of two members unsubscribes", 50)]
    [TestCase(ScenarioSubject.Names, false, "U+FEFF", 50)]
    [TestCase(ScenarioSubject.Retained, true, "# asks for a retained message", 50)]
    public void Named_situations_come_often(ScenarioSubject subject, bool meetsOthers, string what, int least) =>
        Assert.That(
            Enumerable
                .Range(0, Draws)
                .Select(i => s_generator.Generate(subject, meetsOthers, 11, (ulong)i))
                .Count(scenario => Shows(scenario, what)),
            Is.GreaterThan(least)
        );

    private static bool Shows(Scenario scenario, string what)
    {
        var steps = scenario.Steps;
        return what switch
        {
            "a fifth subscription" => steps
                .Where(step => step.Command is SubscribeCommand)
                .GroupBy(step => step.Client)
                .Any(group =>
                    group
                        .SelectMany(step => ((SubscribeCommand)step.Command).Requests)
                        .Select(request => request.Filter)
                        .Distinct()
                        .Count() >= 5
                ),
            "an alias for another topic" => steps
                .Where(step => step.Command is PublishCommand { Alias: not null })
                .GroupBy(step => (step.Client, ((PublishCommand)step.Command).Alias))
                .Any(group => group.Select(step => ((PublishCommand)step.Command).Topic).Distinct().Count() > 1),
            "PUBCOMP withheld, and the connection lost" => steps
                .Where(step => step.Command is HoldCommand { PubcompOnly: true } or DropCommand)
                .GroupBy(step => step.Client)
                .Any(group => group.Select(step => step.Command.Input).Distinct().Count() == 2),
            "one of two members unsubscribes" => steps
                .SelectMany(step =>
                    step.Command is SubscribeCommand subscribe
                        ? subscribe.Requests.Select(request => (step.Client, request.Filter))
                        : []
                )
                .Where(entry => entry.Filter.StartsWith("$share/", StringComparison.Ordinal))
                .GroupBy(entry => entry.Filter)
                .Any(group =>
                    group.Select(entry => entry.Client).Distinct().Count() > 1
                    && steps.Any(step =>
                        step.Command is UnsubscribeCommand unsubscribe && unsubscribe.Filters.Contains(group.Key)
                    )
                ),
            "U+FEFF" => steps.Any(step =>
                step.Command is PublishCommand publish && publish.Topic.Contains('\uFEFF', StringComparison.Ordinal)
            ),
            _ => steps
                .SkipWhile(step => step.Command is not PublishCommand { Retain: true, Empty: false })
                .Any(step =>
                    step.Command is SubscribeCommand subscribe
                    && subscribe.Requests.Any(request => request.Filter is "#" or "+/#")
                ),
        };
    }

    private static List<PlannedScenario> Draw(ScenarioPlan plan, bool waits, bool meetsOthers) =>
        [.. Enumerable.Range(0, Draws).Select(i => plan.Next((ulong)i, waits, meetsOthers))];
}
