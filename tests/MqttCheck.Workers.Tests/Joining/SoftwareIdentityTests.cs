using MqttCheck.Shards;
using MqttCheck.Workers.Joining;

namespace MqttCheck.Workers.Tests.Joining;

[TestFixture]
internal sealed class SoftwareIdentityTests
{
    [Test]
    public void What_may_change_an_outcome_is_told_with_both_values()
    {
        var here = SoftwareIdentity.Of(new JobCatalogue());
        Assert.That(here.Differs(SoftwareIdentity.Of(new JobCatalogue())), Is.Null);
        Assert.That(
            here.Differs(here with { Version = "9.9.9" }),
            Is.EqualTo($"it runs version 9.9.9, and this is version {here.Version}; allowed: the same version")
        );
        Assert.That(here.Differs(here with { Build = "0123" }), Does.Contain("build 0123").And.Contain(here.Build));
        Assert.That(here.Differs(here with { Arithmetic = "0123" }), Does.Contain(here.System));
    }

    [Test]
    public void The_code_that_computes_a_kind_of_job_is_part_of_the_build()
    {
        var without = SoftwareIdentity.Of(new JobCatalogue());
        var with = SoftwareIdentity.Of(new JobCatalogue().Add("test", _ => throw new NotSupportedException()));
        Assert.That(with.Build, Is.Not.EqualTo(without.Build));
    }
}
