namespace MqttCheck.Broker.Core;

/// <summary>One line of the access rules: who may, or may not, do what to which topics.</summary>
/// <param name="Allow">Whether it allows; otherwise it denies.</param>
/// <param name="User">The user name, or <c>*</c> for everybody, anonymous clients included.</param>
/// <param name="Action">The operations that the rule allows or denies.</param>
/// <param name="Filter">A topic filter: the topics it is about.</param>
public sealed record AccessRule(bool Allow, string User, AccessAction Action, string Filter)
{
    /// <summary>Whether the rule is about a user's action.</summary>
    /// <param name="user">The user name; null for an anonymous client.</param>
    /// <param name="action">Publish or subscribe.</param>
    public bool AppliesTo(string? user, AccessAction action) => (Action & action) != 0 && (User == "*" || User == user);
}
