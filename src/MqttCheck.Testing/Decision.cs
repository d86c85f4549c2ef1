using MqttCheck.Requirements;

namespace MqttCheck.Testing;

/// <summary>The decision about a requirement, with its error.</summary>
public sealed class Decision
{
    internal Decision(RequirementVerdict verdict, string requirement, string actual, IReadOnlyList<string> details) =>
        (Verdict, Requirement, Actual, Details) = (verdict, requirement, actual, details);

    /// <summary>
    /// Met, violated, or withheld: neither can be said with the stated error, and <see cref="Message"/> says why.
    /// </summary>
    public RequirementVerdict Verdict { get; }

    /// <summary>Whether the requirement is met; a withheld verdict is not.</summary>
    public bool IsMet => Verdict == RequirementVerdict.Met;

    /// <summary>The requirement, in one line.</summary>
    public string Requirement { get; }

    /// <summary>The observation, in one line.</summary>
    public string Actual { get; }

    /// <summary>
    /// The lines below: how much was seen, how sure that is, under which assumption, and how to repeat it.
    /// </summary>
    public IReadOnlyList<string> Details { get; }

    /// <summary>All of it in lines, for the message of a test.</summary>
    public string Message => string.Join('\n', [$"Expected: {Requirement}", $"But was:  {Actual}", .. Details]);

    /// <summary>Does nothing where the requirement is met.</summary>
    /// <exception cref="RequirementException">It is violated, or the verdict is withheld.</exception>
    public void ThrowIfNotMet()
    {
        if (!IsMet)
            throw new RequirementException(this);
    }

    /// <summary>The message.</summary>
    public override string ToString() => Message;
}
