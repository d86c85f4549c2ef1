namespace MqttCheck.Tests.Architecture;

/// <summary>The rule finds a default that is planted, and lets the same code pass without it.</summary>
[TestFixture]
internal sealed class SwitchRulesTests
{
    [TestCase("e switch { E.A => 1, _ => 2 }", TestName = "A default arm that gives a value is found")]
    [TestCase("e switch { N.E.A or E.B => 1, null => 3, _ => 2 }", TestName = "Alternatives and null are values too")]
    [TestCase("e switch { E.A when x => 1, E.A => 3, _ => 2 }", TestName = "Conditions do not matter")]
    public void A_forgiving_default_is_found(string expression) =>
        Assert.That(Violations($"int M(E? e, bool x) => {expression};"), Has.Exactly(1).Contains("C.cs:1 the default"));

    [TestCase("e switch { E.A => 1, _ => throw new System.Exception() }", TestName = "A default that throws is none")]
    [TestCase("e switch { E.A => 1, E.B => 2 }", TestName = "A switch without a default is none")]
    [TestCase("e switch { Byte.A => 1, _ => 2 }", TestName = "Bytes of others have values without a name")]
    [TestCase("t switch { (E.A, true) => 1, _ => 2 }", TestName = "A tuple is no enumeration")]
    [TestCase("s switch { \"a\" => 1, _ => 2 }", TestName = "A text is no enumeration")]
    public void What_names_its_values_passes(string expression) =>
        Assert.That(Violations($"int M(E? e, (E, bool) t, string s) => {expression};"), Is.Empty);

    [TestCase("default: return 2;", 1)]
    [TestCase("default: throw new System.Exception();", 0)]
    [TestCase("default: break;", 0)]
    public void A_default_section_counts_where_it_returns_a_value(string section, int violations) =>
        Assert.That(
            Violations($"int M(E e) {{ switch (e) {{ case E.A: return 1; {section} }} return 0; }}"),
            Has.Exactly(violations).Items
        );

    private static IEnumerable<string> Violations(string member) =>
        SwitchRules.ForgivingDefaults(
            [
                new("src/MqttCheck/Logs/E.cs", "enum E { A, B } enum Byte { A }"),
                new("src/MqttCheck/Logs/C.cs", $"class C {{ {member} }}"),
            ],
            "Byte"
        );
}
