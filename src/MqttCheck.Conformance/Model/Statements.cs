using MqttCheck.Text;
using static MqttCheck.Conformance.Model.StatementClass;

namespace MqttCheck.Conformance.Model;

/// <summary>
/// The statements about servers that can be judged from outside. The OASIS texts of MQTT 3.1.1 (with errata) and 5.0
/// decide; the sentences here are in our words.
/// </summary>
internal static partial class Statements
{
    private const string NeedsRules = "needs a broker with rules that say who may publish what";
    private const string NeedsMethod = "needs a broker with a method of enhanced authentication; MQTT defines none";

    /// <summary>All statements, those that are exercised first.</summary>
    public static IReadOnlyList<Statement> All =>
        field ??= [
            .. s_connections,
            .. s_messages,
            .. s_subscriptions,
            new(
                "authorisation",
                "3.3.5-2",
                "3.4.2.1",
                Must,
                "A publication that is not authorised gets a normal acknowledgement, or the connection is closed.",
                NeedsRules
            ),
            new("authentication", null, "4.12.0-5", Must, "Enhanced authentication follows AUTH.", NeedsMethod),
        ];

    /// <summary>
    /// The statements of a name, or of a number in a version (<c>MQTT-3.8.4-6</c> or <c>3.8.4-6</c>); a <c>*</c> at the
    /// end stands for anything.
    /// </summary>
    /// <param name="text">Name or number.</param>
    /// <param name="where">The origin of the text, for the message.</param>
    /// <exception cref="InputException">There is none.</exception>
    public static IReadOnlyList<Statement> Find(string text, string where) => Find(text, where, All);

    /// <summary>The same among some statements.</summary>
    public static IReadOnlyList<Statement> Find(string text, string where, IReadOnlyList<Statement> all)
    {
        var wanted = text.StartsWith("MQTT-", StringComparison.OrdinalIgnoreCase) ? text[5..] : text;
        var found = all.Where(statement => Is(statement.Name) || Is(statement.In311) || Is(statement.In5)).ToList();
        if (found.Count > 0)
            return found;
        throw new InputException(
            $"{where}: there is no statement '{Printable.Value(text)}'; allowed are numbers such as MQTT-3.8.4-6 "
                + "and names: "
                + $"{string.Join(", ", all.Select(s => s.Name))}"
                + NearestName.Meant(text, all.Select(statement => statement.Name))
        );

        bool Is(string? name) =>
            name is not null
            && (
                wanted.EndsWith('*')
                    ? name.StartsWith(wanted[..^1], StringComparison.OrdinalIgnoreCase)
                    : name.Equals(wanted, StringComparison.OrdinalIgnoreCase)
            );
    }
}
