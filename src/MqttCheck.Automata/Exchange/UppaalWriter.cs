using System.Globalization;
using System.Text;
using System.Xml;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// Writes networks in the XML format of UPPAAL SMC: one template for automata that are alike, branch points for
/// weighted destinations, random sojourn times as doubles.
/// </summary>
/// <remarks>
/// A location without an invariant is left by others only; UPPAAL wants a rate there, which has no effect because no
/// edge is enabled.
/// </remarks>
internal static class UppaalWriter
{
    private const string DocumentType = "-//Uppaal Team//DTD Flat System 1.6//EN";
    private const string DocumentAddress = "http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd";

    /// <summary>The text of a model file.</summary>
    /// <param name="model">The network and its properties: probabilities of F and G up to a time bound.</param>
    /// <exception cref="InputException">The network has something that UPPAAL SMC has not.</exception>
    public static string ToXml(NetworkModel model)
    {
        var (network, _) = LawLowering.Lower(model.Network);
        // Errors of the network itself are reported before those of its translation.
        _ = new NetworkSimulator(network);
        var text = new StringBuilder();
        var settings = new XmlWriterSettings
        {
            Indent = true,
            IndentChars = "  ",
            NewLineChars = "\n",
            OmitXmlDeclaration = true,
        };
        using (var writer = XmlWriter.Create(text, settings))
        {
            writer.WriteDocType("nta", DocumentType, DocumentAddress, null);
            new UppaalDocument(network).Root(model.Properties).WriteTo(writer);
        }
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + text.ToString() + "\n";
    }

    /// <summary>A name as UPPAAL allows it.</summary>
    internal static string Identifier(string name)
    {
        var text = string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || c == '_' ? c : '_'));
        return text.Length == 0 || char.IsAsciiDigit(text[0]) || s_keywords.Contains(text) ? "_" + text : text;
    }

    internal static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);

    private static readonly HashSet<string> s_keywords = new(
        (
            "chan clock bool int double commit const urgent broadcast init process state guard sync "
            + "assign system trans deadlock and or not imply true false for forall exists while do if else "
            + "return typedef struct rate before_update after_update meta priority progress scalar "
            + "select void default switch case continue break enum sum inf sup control simulate"
        ).Split(' '),
        StringComparer.Ordinal
    );
}
